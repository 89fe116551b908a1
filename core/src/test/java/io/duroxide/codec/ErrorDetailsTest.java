package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Error details")
class ErrorDetailsTest {

  static Stream<Arguments> displayTexts() {
    return Stream.of(
        Arguments.of(
            "infrastructure:ack_orchestration_item: database is locked", GoldenErrors.STORE_BUSY),
        Arguments.of(
            "infrastructure:quiescence_loop: more than 100000 repetitions", GoldenErrors.RUNAWAY),
        Arguments.of("nondeterministic: schedule mismatch", GoldenErrors.CODE_CHANGED),
        Arguments.of("nondeterministic in order-7", GoldenErrors.CODE_CHANGED_SOMEHOW),
        Arguments.of("incompatible version: pinned 2.0.0, supported 0.1.0", GoldenErrors.TOO_NEW),
        Arguments.of("card declined", GoldenErrors.CARD_DECLINED),
        Arguments.of("no stock", GoldenErrors.NO_STOCK),
        Arguments.of("order failed", GoldenErrors.ORDER_FAILED),
        Arguments.of("orchestration panicked: index 3 out of bounds", GoldenErrors.PANICKED),
        Arguments.of("canceled: customer left", GoldenErrors.CANCELLED),
        Arguments.of(
            "poison: orchestration order-7 exceeded 11 attempts (max 10)",
            GoldenErrors.POISON_ORCHESTRATION),
        Arguments.of(
            "poison: activity Charge#2 exceeded 4 attempts (max 3)", GoldenErrors.POISON_ACTIVITY),
        Arguments.of(
            "poison: orchestration order-7 history deserialization failed after 11 attempts"
                + " (max 10): unknown type 'TopicSubscribed'",
            GoldenErrors.POISON_HISTORY));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("displayTexts")
  @DisplayName("RE-240 display text")
  void displayText(String text, ErrorDetails details) {
    assertThat(details.displayMessage()).isEqualTo(text);
  }

  @Test
  @DisplayName("RE-240 the display text of every variant is checked")
  void everyVariant() {
    assertThat(displayTexts().map(arguments -> arguments.get()[1]))
        .containsExactlyElementsOf(GoldenErrors.ALL);
  }

  @Test
  @DisplayName("RE-240 only infrastructure and application errors can be retryable, as flagged")
  void retryability() {
    assertThat(GoldenErrors.ALL.stream().filter(ErrorDetails::retryable))
        .containsExactly(GoldenErrors.STORE_BUSY, GoldenErrors.CARD_DECLINED);
  }

  @Test
  @DisplayName("RE-240 only application errors reach orchestration code")
  void reachesCode() {
    assertThat(GoldenErrors.ALL.stream().filter(ErrorDetails::reachesCode))
        .containsExactly(
            GoldenErrors.CARD_DECLINED,
            GoldenErrors.NO_STOCK,
            GoldenErrors.ORDER_FAILED,
            GoldenErrors.PANICKED,
            GoldenErrors.CANCELLED);
  }

  @ParameterizedTest
  @FieldSource("io.duroxide.codec.GoldenErrors#ALL")
  @DisplayName("RE-241 details survive the child's event, the notice and the parent's event")
  void childToParent(ErrorDetails details) {
    var child =
        EventCodec.encode(GoldenEvents.event(5, new EventKind.OrchestrationFailed(details)));
    var failed = (EventKind.OrchestrationFailed) EventCodec.decode(child).kind();
    var notice = WorkItemCodec.encode(new WorkItem.SubOrchFailed("shop-1", 3, 5, failed.details()));
    var received = (WorkItem.SubOrchFailed) WorkItemCodec.decode(notice);
    var parent =
        EventCodec.encode(
            GoldenEvents.event(6, 5L, new EventKind.SubOrchestrationFailed(received.details())));
    assertThat(EventCodec.decode(parent).kind())
        .isEqualTo(new EventKind.SubOrchestrationFailed(details));
  }
}
