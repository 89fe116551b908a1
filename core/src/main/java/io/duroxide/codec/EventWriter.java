package io.duroxide.codec;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;

/**
 * Writes one event: type, envelope, then the fields of its kind.
 *
 * @param event what to write
 */
record EventWriter(Event event) {

  String write() {
    FieldWriter out =
        switch (event.kind()) {
          case EventKind.Lifecycle kind -> lifecycle(kind);
          case EventKind.Schedule kind -> schedule(kind);
          case EventKind.Passive kind -> passive(kind);
          case EventKind.Completion kind -> completion(kind);
          case EventKind.Arrival kind -> arrival(kind);
          case EventKind.Decision kind -> head(type(kind)).text("reason", kind.reason());
          case EventKind.Terminal kind -> terminal(kind);
        };
    return out.finish();
  }

  private FieldWriter head(String type) {
    return new FieldWriter()
        .text("type", type)
        .number("event_id", event.id())
        .optionalNumber("source_event_id", event.source())
        .text("instance_id", event.execution().instance())
        .number("execution_id", event.execution().executionId())
        .instant("timestamp_ms", event.stamp().at())
        .text("duroxide_version", event.stamp().frameworkVersion());
  }

  private FieldWriter lifecycle(EventKind.Lifecycle kind) {
    return switch (kind) {
      case EventKind.OrchestrationStarted k ->
          PruneForm.write(
              k.inheritance().autoPrune(),
              head("OrchestrationStarted")
                  .text("name", k.name())
                  .text("version", k.version())
                  .text("input", k.input())
                  .parent(k.parent())
                  .carried(k.inheritance().messages())
                  .reads(k.inheritance().reads())
                  .optionalText("initial_custom_status", k.inheritance().customStatus()));
      case EventKind.OrchestrationCancelRequested k ->
          head("OrchestrationCancelRequested").text("reason", k.reason());
    };
  }

  private FieldWriter schedule(EventKind.Schedule kind) {
    return switch (kind) {
      case EventKind.ActivityScheduled k ->
          head("ActivityScheduled")
              .text("name", k.name())
              .text("input", k.input())
              .optionalText("session_id", k.sessionId())
              .optionalText("tag", k.tag());
      case EventKind.TimerCreated k -> head("TimerCreated").instant("fire_at_ms", k.fireAt());
      case EventKind.ExternalSubscribed k -> head("ExternalSubscribed").text("name", k.name());
      case EventKind.QueueSubscribed k ->
          head("ExternalSubscribedPersistent").text("name", k.name());
      case EventKind.HistoryPruneRequested k ->
          PruneForm.write(k.retention(), head("HistoryPruneRequested"));
      case EventKind.SubOrchestrationScheduled k ->
          head("SubOrchestrationScheduled")
              .text("name", k.name())
              .text("instance", k.instance())
              .text("input", k.input());
    };
  }

  private FieldWriter passive(EventKind.Passive kind) {
    return switch (kind) {
      case EventKind.OrchestrationChained k ->
          head("OrchestrationChained")
              .text("name", k.name())
              .text("instance", k.instance())
              .text("input", k.input());
      case EventKind.CustomStatusUpdated k ->
          head("CustomStatusUpdated").optionalText("status", k.status());
      case EventKind.KeyValueSet k ->
          head("KeyValueSet")
              .text("key", k.key())
              .text("value", k.value())
              .instant("last_updated_at_ms", k.lastUpdatedAt());
      case EventKind.KeyValueCleared k -> head("KeyValueCleared").text("key", k.key());
      case EventKind.KeyValuesCleared ignored -> head("KeyValuesCleared");
    };
  }

  private FieldWriter completion(EventKind.Completion kind) {
    return switch (kind) {
      case EventKind.ActivityCompleted k ->
          head("ActivityCompleted").text("result", k.result()).attempt(k.attempt());
      case EventKind.ActivityFailed k ->
          head("ActivityFailed").details(k.details()).attempt(k.attempt());
      case EventKind.TimerFired k -> head("TimerFired").instant("fire_at_ms", k.fireAt());
      case EventKind.SubOrchestrationCompleted k ->
          head("SubOrchestrationCompleted").text("result", k.result());
      case EventKind.SubOrchestrationFailed k ->
          head("SubOrchestrationFailed").details(k.details());
      case EventKind.HistoryPruned k -> PruneForm.write(k, head("HistoryPruned"));
    };
  }

  private FieldWriter arrival(EventKind.Arrival kind) {
    return switch (kind) {
      case EventKind.ExternalEvent k ->
          head("ExternalEvent").text("name", k.name()).text("data", k.data());
      case EventKind.QueueEventDelivered k ->
          head("ExternalEventPersistent").text("name", k.name()).text("data", k.data());
    };
  }

  private static String type(EventKind.Decision kind) {
    return switch (kind) {
      case EventKind.ActivityCancelRequested ignored -> "ActivityCancelRequested";
      case EventKind.SubOrchestrationCancelRequested ignored -> "SubOrchestrationCancelRequested";
      case EventKind.ExternalSubscribedCancelled ignored -> "ExternalSubscribedCancelled";
      case EventKind.QueueSubscriptionCancelled ignored -> "ExternalSubscribedPersistentCancelled";
    };
  }

  private FieldWriter terminal(EventKind.Terminal kind) {
    return switch (kind) {
      case EventKind.OrchestrationCompleted k ->
          head("OrchestrationCompleted").text("output", k.output());
      case EventKind.OrchestrationFailed k -> head("OrchestrationFailed").details(k.details());
      case EventKind.OrchestrationContinuedAsNew k ->
          PruneForm.write(k.prune(), head("OrchestrationContinuedAsNew").text("input", k.input()));
    };
  }
}
