package io.duroxide.cli;

import io.duroxide.codec.EventCodec;
import io.duroxide.model.Event;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.PruneResult;
import io.duroxide.provider.QueueDepth;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers for scripts. Field names are part of the interface: they may be added, not changed. */
final class Forms {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Forms() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  static String pretty(JsonNode node) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node);
  }

  static String line(JsonNode node) {
    return MAPPER.writeValueAsString(node);
  }

  static ObjectNode instance(InstanceInfo info) {
    return object()
        .put("instance", info.instance())
        .put("orchestration", info.orchestration().name())
        .put("version", info.orchestration().version())
        .put("status", info.status().stored())
        .put("execution", info.current().executionId())
        .put("framework", pin(info.pin()))
        .put("output", info.output())
        .put("custom_status", info.customStatus().status())
        .put("parent", info.parentInstance())
        .put("created_at", time(info.createdAt()))
        .put("updated_at", time(info.updatedAt()))
        .put("completed_at", time(info.completedAt()));
  }

  static ObjectNode execution(ExecutionInfo info) {
    return object()
        .put("execution", info.executionId())
        .put("status", info.status().stored())
        .put("output", info.output())
        .put("started_at", time(info.startedAt()))
        .put("completed_at", time(info.completedAt()))
        .put("events", info.eventCount())
        .put("framework", pin(info.pin()));
  }

  /** The events in their stored form. */
  static ArrayNode events(Collection<Event> events) {
    ArrayNode array = array();
    events.forEach(event -> array.add(event(event)));
    return array;
  }

  static JsonNode event(Event event) {
    return MAPPER.readTree(EventCodec.encode(event));
  }

  static ObjectNode depth(QueueDepth depth) {
    return object()
        .put("ready", depth.ready())
        .put("delayed", depth.delayed())
        .put("locked", depth.locked());
  }

  static ObjectNode deleted(DeleteResult result) {
    return object()
        .put("instances", result.instancesDeleted())
        .put("executions", result.executionsDeleted())
        .put("events", result.eventsDeleted())
        .put("queue_messages", result.queueMessagesDeleted());
  }

  static ObjectNode pruned(PruneResult result) {
    return object()
        .put("instances", result.instancesProcessed())
        .put("executions", result.executionsDeleted())
        .put("events", result.eventsDeleted());
  }

  static @Nullable String pin(@Nullable ExecutionPin pin) {
    return pin == null ? null : pin.text();
  }

  private static @Nullable String time(@Nullable Instant instant) {
    return instant == null ? null : Shown.instant(instant);
  }
}
