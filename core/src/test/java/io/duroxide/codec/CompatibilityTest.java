package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Older and newer texts")
class CompatibilityTest {
  private static final String ENVELOPE =
      "\"event_id\":1,\"instance_id\":\"order-7\",\"execution_id\":1,"
          + "\"timestamp_ms\":0,\"duroxide_version\":\"0.1.0\"";

  @Test
  @DisplayName("RE-251 an unknown event kind fails")
  void unknownKind() {
    assertThatThrownBy(() -> kind("TopicSubscribed", "\"name\":\"news\",\"topic\":\"java\""))
        .isInstanceOf(DecodeException.class)
        .hasMessage("event TopicSubscribed: unknown type 'TopicSubscribed'");
  }

  @Test
  @DisplayName("RE-253 a history with a newer kind stays closed to a node that lacks the kind")
  void newerKindIsolates() {
    var oldExecution = GoldenFile.lines("events.jsonl");
    var newExecution =
        List.of(oldExecution.getFirst(), event("TopicSubscribed", "\"topic\":\"java\""));
    assertThat(oldExecution.stream().map(EventCodec::decode)).isNotEmpty();
    assertThatThrownBy(() -> newExecution.stream().map(EventCodec::decode).toList())
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("TopicSubscribed");
  }

  static Stream<String> unknownNames() {
    return Stream.of(
        "{\"type\":\"Pause\",\"instance\":\"order-7\"}",
        failed("{\"category\":\"Weather\"}"),
        failed("{\"category\":\"Configuration\",\"kind\":\"Rain\",\"resource\":\"r\"}"),
        failed(
            "{\"category\":\"Application\",\"kind\":\"Rain\",\"message\":\"\",\"retryable\":false}"),
        failed(
            "{\"category\":\"Poison\",\"attempt_count\":1,\"max_attempts\":1,"
                + "\"message_type\":\"Rain\",\"message\":\"\"}"));
  }

  @ParameterizedTest
  @MethodSource("unknownNames")
  @DisplayName("RE-251 an unknown work item, category or error kind fails")
  void unknownNames(String json) {
    assertThatThrownBy(() -> WorkItemCodec.decode(json))
        .isInstanceOf(DecodeException.class)
        .hasMessageMatching(".*unknown (type|category|kind|message_type) '(Pause|Weather|Rain)'");
  }

  @Test
  @DisplayName("RE-250 a KV stamp that is missing reads as 0")
  void missingStamp() {
    assertThat(kind("KeyValueSet", "\"key\":\"k\",\"value\":\"v\""))
        .isEqualTo(new EventKind.KeyValueSet("k", "v", Instant.EPOCH));
  }

  @Test
  @DisplayName("RE-250 a parent's execution that is missing reads as 1")
  void missingParentExecution() {
    assertThat(started("\"parent_instance\":\"shop-1\",\"parent_id\":5").parent())
        .isEqualTo(new ParentLink("shop-1", 1, 5));
  }

  @Test
  @DisplayName("RE-250 there is a parent exactly when its instance is named")
  void parentNeedsInstance() {
    assertThat(started("\"parent_id\":5,\"parent_execution_id\":3").parent()).isNull();
    assertThatThrownBy(() -> started("\"parent_instance\":\"shop-1\""))
        .isInstanceOf(DecodeException.class)
        .hasMessage("event OrchestrationStarted: field 'parent_id' is missing");
  }

  @Test
  @DisplayName("RE-250 an activity without an origin comes from an unknown orchestration")
  void missingOrigin() {
    var item =
        WorkItemCodec.decode(
            "{\"type\":\"ActivityExecute\",\"instance\":\"order-7\",\"execution_id\":1,\"id\":2,"
                + "\"name\":\"Charge\",\"input\":\"\"}");
    assertThat(((WorkItem.ActivityExecute) item).origin()).isEqualTo(ActivityOrigin.UNKNOWN);
  }

  @ParameterizedTest(name = "an outcome with nothing but [{0}] of its run has none")
  @ValueSource(
      strings = {
        "",
        "\"started_at_ms\":5",
        "\"worker_id\":\"w\",\"attempt\":2",
        "\"started_at_ms\":5,\"attempt\":2",
        "\"started_at_ms\":5,\"worker_id\":\"w\",\"attempt\":null"
      })
  void missingRun(String fields) {
    String more = fields.isEmpty() ? "" : "," + fields;

    assertThat(kind("ActivityCompleted", "\"result\":\"paid\"" + more))
        .isEqualTo(new EventKind.ActivityCompleted("paid"));
    assertThat(
            WorkItemCodec.decode(
                "{\"type\":\"ActivityCompleted\",\"instance\":\"order-7\",\"execution_id\":1,"
                    + "\"id\":2,\"result\":\"paid\""
                    + more
                    + "}"))
        .isEqualTo(new WorkItem.ActivityCompleted("order-7", 1, 2, "paid"));
  }

  @Test
  @DisplayName("RE-251 a start without an execution id decodes, one for a later execution fails")
  void startExecution() {
    var start =
        "{\"type\":\"StartOrchestration\",\"instance\":\"a\",\"orchestration\":\"O\",\"input\":\"\"";
    assertThat(WorkItemCodec.decode(start + "}"))
        .isEqualTo(new WorkItem.StartOrchestration("a", "O", "", null, null));
    assertThatThrownBy(() -> WorkItemCodec.decode(start + ",\"execution_id\":2}"))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  @DisplayName("RE-251 a null is an absent field")
  void nulls() {
    assertThat(kind("CustomStatusUpdated", "\"status\":null"))
        .isEqualTo(new EventKind.CustomStatusUpdated(null));
    assertThatThrownBy(() -> kind("KeyValueCleared", "\"key\":null"))
        .isInstanceOf(DecodeException.class)
        .hasMessage("event KeyValueCleared: field 'key' is missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "-1.5e300",
        "123456789012345678901234567890",
        "true",
        "null",
        "\"text\"",
        "[1,[\"deep\",{\"er\":[]}]]",
        "{\"details\":{\"details\":{}},\"type\":\"TimerFired\"}"
      })
  @DisplayName("RE-251 unknown fields of any type are skipped")
  void unknownFields(String value) {
    // Names that belong to other kinds are as unknown here as a new one.
    var extras =
        Stream.of("new_field", "details", "carry_forward_events", "fire_at_ms", "name")
            .map(name -> "\"" + name + "\":" + value + ",")
            .reduce("", String::concat);
    var line = "{" + extras + event("KeyValueCleared", "\"key\":\"k\"").substring(1);
    assertThat(EventCodec.decode(line).kind()).isEqualTo(new EventKind.KeyValueCleared("k"));
  }

  @Test
  @DisplayName("RE-251 the order of fields does not matter, not even of the type")
  void order() {
    assertThat(
            EventCodec.decode(
                    "{ \"key\":\"k\"," + ENVELOPE + " ,\n\"type\" : \"KeyValueCleared\" } \n")
                .kind())
        .isEqualTo(new EventKind.KeyValueCleared("k"));
  }

  @Test
  @DisplayName("E2E-552 an activity stored without a tag has none, and an absent tag is not stored")
  void absentTag() {
    String stored = event("ActivityScheduled", "\"name\":\"Charge\",\"input\":\"x\"");
    Event untagged = EventCodec.decode(stored);

    assertThat(untagged.kind())
        .isEqualTo(new EventKind.ActivityScheduled("Charge", "x", null, null));
    assertThat(EventCodec.encode(untagged)).doesNotContain("tag").doesNotContain("session");
  }

  @ParameterizedTest(name = "E2E-473 {0}")
  @CsvSource({
    "KeyValueSet, '\"key\":\"k\",\"value\":\"v\",\"last_updated_at_ms\":5'",
    "KeyValueCleared, '\"key\":\"k\"'",
    "KeyValuesCleared, '\"unknown\":0'"
  })
  void keyValueKinds(String type, String fields) {
    Event event = EventCodec.decode(event(type, fields));
    String stored = EventCodec.encode(event);

    assertThat(event.kind().getClass().getSimpleName()).isEqualTo(type);
    assertThat(stored).contains("\"type\":\"" + type + "\"");
    assertThat(EventCodec.decode(stored)).isEqualTo(event);
  }

  private static EventKind.OrchestrationStarted started(String parent) {
    return (EventKind.OrchestrationStarted)
        kind(
            "OrchestrationStarted",
            "\"name\":\"Order\",\"version\":\"1.0.0\",\"input\":\"\"," + parent);
  }

  private static EventKind kind(String type, String fields) {
    return EventCodec.decode(event(type, fields)).kind();
  }

  private static String event(String type, String fields) {
    return "{\"type\":\"" + type + "\"," + ENVELOPE + "," + fields + "}";
  }

  private static String failed(String details) {
    return "{\"type\":\"ActivityFailed\",\"instance\":\"order-7\",\"execution_id\":1,\"id\":2,"
        + "\"details\":"
        + details
        + "}";
  }
}
