package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@DisplayName("Broken texts")
class RefusalTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @Test
  @DisplayName("RE-250 a missing event field fails by name, unless it is optional")
  void missingEventField() {
    assertThat(droppable("events.jsonl", EventCodec::decode))
        .containsExactlyInAnyOrder(
            "source_event_id",
            "OrchestrationStarted.parent_instance",
            "OrchestrationStarted.parent_execution_id",
            "OrchestrationStarted.carry_forward_events",
            "OrchestrationStarted.initial_custom_status",
            "OrchestrationStarted.auto_prune",
            "HistoryPruned.effective_options",
            "HistoryPruned.error",
            "OrchestrationContinuedAsNew.prune",
            "ActivityScheduled.session_id",
            "ActivityScheduled.tag",
            "ActivityCompleted.started_at_ms",
            "ActivityCompleted.worker_id",
            "ActivityCompleted.attempt",
            "ActivityFailed.started_at_ms",
            "ActivityFailed.worker_id",
            "ActivityFailed.attempt",
            "CustomStatusUpdated.status",
            "KeyValueSet.last_updated_at_ms");
  }

  @Test
  @DisplayName("RE-250 a missing work item field fails by name, unless it is optional")
  void missingWorkItemField() {
    assertThat(droppable("work-items.jsonl", WorkItemCodec::decode))
        .containsExactlyInAnyOrder(
            "StartOrchestration.version",
            "StartOrchestration.parent_instance",
            "StartOrchestration.parent_execution_id",
            "StartOrchestration.execution_id",
            "StartOrchestration.auto_prune",
            "StartOrchestration.detached",
            "ContinueAsNew.version",
            "ContinueAsNew.carry_forward_events",
            "ContinueAsNew.initial_custom_status",
            "ContinueAsNew.parent_instance",
            "ContinueAsNew.parent_execution_id",
            "ContinueAsNew.auto_prune",
            "ContinueAsNew.prune",
            "ActivityExecute.session_id",
            "ActivityExecute.tag",
            "ActivityExecute.orchestration_name",
            "ActivityExecute.orchestration_version",
            "ActivityExecute.scheduled_at_ms",
            "ActivityCompleted.started_at_ms",
            "ActivityCompleted.worker_id",
            "ActivityCompleted.attempt",
            "ActivityFailed.started_at_ms",
            "ActivityFailed.worker_id",
            "ActivityFailed.attempt",
            "CancelInstance.parent_instance",
            "CancelInstance.parent_execution_id");
  }

  @Test
  @DisplayName("RE-250 a missing field of an error fails by name, unless it is optional")
  void missingErrorField() {
    assertThat(droppable("errors.jsonl", RefusalTest::decodeError))
        .containsExactlyInAnyOrder(
            "Configuration.message", "Application.exception_class", "Application.payload");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"keep_last\":0}",
        "{\"keep_last\":3000000000}",
        "{\"max_age_ms\":-1}",
        "{\"keep_last\":1,\"every\":0}",
        "{\"keep_last\":1,\"keep_previous_version\":-1}",
        "{\"enabled\":\"no\"}"
      })
  @DisplayName("RE-250 a policy of pruning that cannot be is refused, not guessed")
  void impossiblePolicy(String policy) {
    String line =
        "{\"type\":\"StartOrchestration\",\"instance\":\"x\",\"orchestration\":\"O\",\"input\":\"\",\"auto_prune\":%s}"
            .formatted(policy);
    assertThat(catchThrowable(() -> WorkItemCodec.decode(line)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("auto_prune");
  }

  /** Drops each field of each line once; says which were not missed. */
  private static Set<String> droppable(String file, Consumer<String> decode) {
    var dropped = new HashSet<String>();
    for (String line : GoldenFile.lines(file)) {
      for (String field : object(line).propertyNames()) {
        var rest = object(line);
        rest.remove(field);
        var refusal = catchThrowable(() -> decode.accept(rest.toString()));
        if (refusal == null) {
          dropped.add(qualified(object(line), field));
        } else {
          assertThat(refusal)
              .isInstanceOf(DecodeException.class)
              .hasMessageContaining("field '" + field + "' is missing");
        }
      }
    }
    return dropped;
  }

  private static String qualified(ObjectNode object, String field) {
    return field.equals("source_event_id")
        ? field
        : object.path("type").asString(object.path("category").asString("")) + "." + field;
  }

  @ParameterizedTest
  @CsvSource({"events.jsonl,event", "work-items.jsonl,item", "errors.jsonl,error"})
  @DisplayName("RE-250 a field of the wrong type fails by name")
  void wrongType(String file, String what) {
    Consumer<String> decode =
        switch (what) {
          case "event" -> EventCodec::decode;
          case "item" -> WorkItemCodec::decode;
          default -> RefusalTest::decodeError;
        };
    for (String line : GoldenFile.lines(file)) {
      for (String field : object(line).propertyNames()) {
        wrongValues(object(line).get(field))
            .forEach(wrong -> {
              var changed = object(line);
              changed.set(field, wrong);
              assertThatThrownBy(() -> decode.accept(changed.toString()))
                  .as("%s with %s = %s", line, field, wrong)
                  .isInstanceOf(DecodeException.class)
                  .hasMessageContaining("field '" + field + "' is not");
            });
      }
    }
  }

  private static Stream<JsonNode> wrongValues(JsonNode right) {
    return Stream.of("\"7\"", "7", "7.0", "12345678901234567890", "true", "{}", "[]")
        .map(MAPPER::readTree)
        .filter(wrong ->
            wrong.getNodeType() != right.getNodeType()
                || wrong.isFloatingPointNumber()
                || wrong.isBigInteger());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"inbox\"]",
        "[[\"inbox\"]]",
        "[[\"inbox\",\"a\",\"b\"]]",
        "[[\"inbox\",1]]",
        "[[null,\"a\"]]",
        "[{\"queue\":\"inbox\"}]",
        "[null]"
      })
  @DisplayName("RE-250 carried events must be pairs of texts")
  void carried(String events) {
    var line = GoldenFile.lines("work-items.jsonl").get(2).replaceFirst("\\[\\[.*]]", events);
    assertThatThrownBy(() -> WorkItemCodec.decode(line))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("field 'carry_forward_events' holds something else");
  }

  @Test
  @DisplayName("RE-250 a count beyond an int fails")
  void count() {
    var line = GoldenFile.lines("errors.jsonl").getLast().replace(":11,", ":2147483648,");
    assertThatThrownBy(() -> decodeError(line))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("field 'attempt_count' is out of range");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "7",
        "\"{}\"",
        "[]",
        "{}",
        "{",
        "}",
        "not json",
        "{\"type\":\"KeyValuesCleared\"",
        "{'type':'KeyValuesCleared'}",
        "{\"type\":\"KeyValuesCleared\",}",
        "{\"type\":1}"
      })
  @DisplayName("RE-251 what is no stored object fails")
  void notAnObject(String text) {
    assertThatThrownBy(() -> EventCodec.decode(text)).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> WorkItemCodec.decode(text)).isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "x", "}", ",", "null", "\0", "/* */"})
  @DisplayName("RE-251 whatever follows the object fails")
  void trailing(String garbage) {
    var line = GoldenFile.lines("events.jsonl").getFirst();
    assertThatThrownBy(() -> EventCodec.decode(line + garbage)).isInstanceOf(DecodeException.class);
  }

  @Test
  @DisplayName("RE-251 a field that stands there twice fails")
  void twice() {
    var line = GoldenFile.lines("events.jsonl").getFirst();
    assertThatThrownBy(() -> EventCodec.decode("{\"event_id\":8," + line.substring(1)))
        .isInstanceOf(DecodeException.class)
        .hasMessage("event: field 'event_id' stands there twice");
  }

  @Test
  @DisplayName("RE-251 nesting without end fails")
  void nesting() {
    for (String field : List.of("extra", "details", "carry_forward_events")) {
      assertThatThrownBy(() -> EventCodec.decode("{\"" + field + "\":" + "[".repeat(100_000)))
          .isInstanceOf(DecodeException.class);
      assertThatThrownBy(() -> EventCodec.decode(("{\"" + field + "\":").repeat(100_000)))
          .isInstanceOf(DecodeException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"type\":\"%s\"}", "{\"%s", "%s", "{\"type\":%s}", "{\"%s\":1,\"%s\":2}"})
  @DisplayName("RE-108 a refusal never shows a payload")
  void privacy(String form) {
    var refusal = catchThrowable(() -> EventCodec.decode(form.replace("%s", "z".repeat(5_000))));
    assertThat(refusal).isInstanceOf(DecodeException.class);
    for (Throwable link = refusal; link != null; link = link.getCause()) {
      assertThat(link.getMessage()).doesNotContain("z".repeat(81)).hasSizeLessThan(400);
    }
  }

  private static ObjectNode object(String line) {
    return (ObjectNode) MAPPER.readTree(line);
  }

  private static void decodeError(String json) {
    ErrorDetailsForm.read(FieldParser.parse("details", json));
  }
}
