package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventKind.CustomStatusUpdated;
import io.duroxide.model.Inheritance;
import io.duroxide.replay.TurnOutcome.Completed;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CustomStatusTest {

  private static String status(OrchestrationContext ctx) {
    return ctx.customStatus().orElse("-");
  }

  private static Event startedWith(String status) {
    return event(
        1,
        new EventKind.OrchestrationStarted(
            "Order", "1.0.0", "in", null, new Inheritance(List.of(), status, null)));
  }

  static List<Arguments> calls() {
    Consumer<OrchestrationContext> set = ctx -> ctx.setCustomStatus("a");
    Consumer<OrchestrationContext> reset = OrchestrationContext::resetCustomStatus;
    Consumer<OrchestrationContext> none = OrchestrationContext::customStatus;
    Consumer<OrchestrationContext> three = set.andThen(reset).andThen(set);
    return List.of(
        Arguments.of("a set", set, updates("a")),
        Arguments.of("a reset", reset, updates((String) null)),
        Arguments.of("no call", none, List.of()),
        Arguments.of("three calls", three, updates("a", null, "a")));
  }

  private static List<CustomStatusUpdated> updates(String... statuses) {
    return Arrays.stream(statuses).map(CustomStatusUpdated::new).toList();
  }

  @ParameterizedTest(name = "RE-220 {0} is recorded call by call")
  @MethodSource("calls")
  void recorded(
      String what, Consumer<OrchestrationContext> calls, List<CustomStatusUpdated> events) {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          calls.accept(ctx);
          return "";
        });

    assertThat(result.outcome()).as(what).isEqualTo(new Completed(""));
    assertThat(Engine.kinds(result)).as(what).isEqualTo(events);
    assertThat(result.actions()).as(what).hasSameSizeAs(events);
    assertThat(result.delta())
        .extracting(Event::source)
        .as(what)
        .allMatch(source -> source == null);
  }

  @Test
  @DisplayName("RE-221 the status is absent, then the last one set, then absent after a reset")
  void reads() {
    OrchestrationCode code =
        (ctx, in) -> {
          String read = status(ctx);
          ctx.setCustomStatus("a");
          ctx.setCustomStatus("b");
          read += status(ctx);
          ctx.resetCustomStatus();
          return read + status(ctx);
        };

    assertThat(Engine.fresh(code).outcome()).isEqualTo(new Completed("-b-"));
  }

  @Test
  @DisplayName("RE-221 the carried status is there before the first line, and a reset removes it")
  void carriedStatus() {
    OrchestrationCode code =
        (ctx, in) -> {
          String read = status(ctx);
          ctx.callActivity("A", "").await();
          read += status(ctx);
          ctx.resetCustomStatus();
          return read + status(ctx);
        };
    Twin twin = Twin.of(code, startedWith("carried"));
    twin.turn();

    assertThat(twin.turn(activityDone(2, "")).outcome())
        .isEqualTo(new Completed("carriedcarried-"));
  }

  @Test
  @DisplayName("RE-222 set, reset, set in history gives the right value after replay")
  void replayed() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.setCustomStatus("first");
          ctx.resetCustomStatus();
          ctx.setCustomStatus("last");
          ctx.callActivity("A", "").await();
          return status(ctx);
        };
    TurnResult result =
        Engine.of(code)
            .history(
                started("in"),
                event(2, new CustomStatusUpdated("first")),
                event(3, new CustomStatusUpdated(null)),
                event(4, new CustomStatusUpdated("last")),
                activityScheduled(5, "A", ""))
            .turn(activityDone(5, ""));

    assertThat(result.outcome()).isEqualTo(new Completed("last"));
    assertThat(result.delta()).hasSize(1);

    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(activityDone(5, "")).outcome()).isEqualTo(new Completed("last"));
  }

  @Test
  @DisplayName(
      "RE-222 what is left at a continue-as-new is the last status, carried or set, and nothing"
          + " after a reset")
  void leftAtContinueAsNew() {
    OrchestrationCode untouched = (ctx, in) -> ctx.continueAsNew("");
    OrchestrationCode set =
        (ctx, in) -> {
          ctx.setCustomStatus("own");
          return ctx.continueAsNew("");
        };
    OrchestrationCode reset =
        (ctx, in) -> {
          ctx.resetCustomStatus();
          return ctx.continueAsNew("");
        };

    assertThat(Engine.replay(untouched, startedWith("carried")).leftOver().customStatus())
        .isEqualTo("carried");
    assertThat(Engine.replay(set, startedWith("carried")).leftOver().customStatus())
        .isEqualTo("own");
    assertThat(Engine.replay(reset, startedWith("carried")).leftOver().customStatus()).isNull();
  }
}
