package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Round trips")
class RoundTripTest {
  private static final int CASES = 10_000;

  @Test
  @DisplayName("RE-250 any event comes back equal, also through UTF-8")
  void anyEvent() {
    anyValue(Event.class, EventCodec::encode, EventCodec::decode);
  }

  @Test
  @DisplayName("RE-250 any work item comes back equal, also through UTF-8")
  void anyWorkItem() {
    anyValue(WorkItem.class, WorkItemCodec::encode, WorkItemCodec::decode);
  }

  private static <T> void anyValue(
      Class<T> type, Function<T, String> encode, Function<String, T> decode) {
    for (long seed = 1; seed <= CASES; seed++) {
      T value = new RandomRecords(seed).any(type);
      var stored = encode.apply(value).getBytes(StandardCharsets.UTF_8);
      assertThat(decode.apply(new String(stored, StandardCharsets.UTF_8)))
          .as("seed %d", seed)
          .isEqualTo(value);
    }
  }

  static Stream<String> payloads() {
    return Stream.of(
        "",
        "tab\tnewline\nCR LF\r\nNUL\0",
        "Ünïcödé 日本語 مرحبا 😀 \u2028",
        "lone \ud800 and \udfff",
        "n".repeat(10_000),
        "r".repeat(1 << 20),
        "\"\n".repeat(1 << 20),
        "😀".repeat(1 << 20),
        "x".repeat(1 << 23));
  }

  @ParameterizedTest(name = "payload {index}")
  @MethodSource("payloads")
  @DisplayName("RE-108 names, inputs and results of any size and content are preserved")
  void payload(String payload) {
    var scheduled =
        GoldenEvents.event(2, new EventKind.ActivityScheduled(payload, payload, null, null));
    var stored = EventCodec.encode(scheduled).getBytes(StandardCharsets.UTF_8);
    // Not isEqualTo: a failure would print the payload.
    var back = EventCodec.decode(new String(stored, StandardCharsets.UTF_8));
    assertThat(back.equals(scheduled)).isTrue();
  }

  @Test
  @DisplayName("RE-108 only quote, backslash, control characters and lone surrogates are escaped")
  void escapes() {
    var text = "\"\\\b\f\n\r\t\0\u001f/\u007f\u2028é😀\ud800";
    assertThat(EventCodec.encode(GoldenEvents.event(1, new EventKind.KeyValueCleared(text))))
        .endsWith("\"key\":\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/\u007f\u2028é😀\\ud800\"}");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  @DisplayName("RE-250 every millisecond of a long comes back")
  void milliseconds(long millis) {
    var event = GoldenEvents.event(2, new EventKind.TimerCreated(Instant.ofEpochMilli(millis)));
    assertThat(EventCodec.decode(EventCodec.encode(event))).isEqualTo(event);
  }

  @Test
  @DisplayName("RE-250 instants beyond the milliseconds of a long saturate, finer ones are floored")
  void saturation() {
    assertThat(storedFireAt(Instant.MAX)).isEqualTo(Instant.ofEpochMilli(Long.MAX_VALUE));
    assertThat(storedFireAt(Instant.MIN)).isEqualTo(Instant.ofEpochMilli(Long.MIN_VALUE));
    assertThat(storedFireAt(Instant.ofEpochSecond(7, 1_999_999)))
        .isEqualTo(Instant.ofEpochMilli(7_001));
  }

  private static Instant storedFireAt(Instant fireAt) {
    var item = new WorkItem.TimerFired("order-7", 1, 2, fireAt);
    return ((WorkItem.TimerFired) WorkItemCodec.decode(WorkItemCodec.encode(item))).fireAt();
  }
}
