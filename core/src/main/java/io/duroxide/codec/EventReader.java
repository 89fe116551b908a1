package io.duroxide.codec;

import static java.util.Map.entry;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Retention;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads events.
 *
 * <p>A type that is not in the table is refused, never skipped: that is what keeps an older node
 * away from a history it does not understand. Thread-safe.
 */
final class EventReader {
  private static final Map<String, Function<FieldReader, EventKind>> KINDS =
      Map.ofEntries(
          entry("OrchestrationStarted", EventReader::started),
          entry(
              "OrchestrationCancelRequested",
              in -> new EventKind.OrchestrationCancelRequested(in.text("reason"))),
          entry("ActivityScheduled", EventReader::activityScheduled),
          entry(
              "ActivityCompleted",
              in -> new EventKind.ActivityCompleted(in.text("result"), in.attempt())),
          entry("ActivityFailed", in -> new EventKind.ActivityFailed(in.details(), in.attempt())),
          entry(
              "ActivityCancelRequested",
              in -> new EventKind.ActivityCancelRequested(in.text("reason"))),
          entry("TimerCreated", in -> new EventKind.TimerCreated(in.instant("fire_at_ms"))),
          entry("TimerFired", in -> new EventKind.TimerFired(in.instant("fire_at_ms"))),
          entry("ExternalSubscribed", in -> new EventKind.ExternalSubscribed(in.text("name"))),
          entry(
              "ExternalEvent", in -> new EventKind.ExternalEvent(in.text("name"), in.text("data"))),
          entry(
              "ExternalSubscribedCancelled",
              in -> new EventKind.ExternalSubscribedCancelled(in.text("reason"))),
          entry(
              "ExternalSubscribedPersistent", in -> new EventKind.QueueSubscribed(in.text("name"))),
          entry(
              "ExternalEventPersistent",
              in -> new EventKind.QueueEventDelivered(in.text("name"), in.text("data"))),
          entry(
              "ExternalSubscribedPersistentCancelled",
              in -> new EventKind.QueueSubscriptionCancelled(in.text("reason"))),
          entry(
              "SubOrchestrationScheduled",
              in ->
                  new EventKind.SubOrchestrationScheduled(
                      in.text("name"), in.text("instance"), in.text("input"))),
          entry(
              "SubOrchestrationCompleted",
              in -> new EventKind.SubOrchestrationCompleted(in.text("result"))),
          entry("SubOrchestrationFailed", in -> new EventKind.SubOrchestrationFailed(in.details())),
          entry(
              "SubOrchestrationCancelRequested",
              in -> new EventKind.SubOrchestrationCancelRequested(in.text("reason"))),
          entry(
              "OrchestrationChained",
              in ->
                  new EventKind.OrchestrationChained(
                      in.text("name"), in.text("instance"), in.text("input"))),
          entry(
              "CustomStatusUpdated",
              in -> new EventKind.CustomStatusUpdated(in.optionalText("status"))),
          entry("HistoryPruneRequested", EventReader::pruneRequested),
          entry("HistoryPruned", PruneForm::readPruned),
          entry("KeyValueSet", EventReader::keyValueSet),
          entry("KeyValueCleared", in -> new EventKind.KeyValueCleared(in.text("key"))),
          entry("KeyValuesCleared", in -> new EventKind.KeyValuesCleared()),
          entry(
              "OrchestrationCompleted",
              in -> new EventKind.OrchestrationCompleted(in.text("output"))),
          entry("OrchestrationFailed", in -> new EventKind.OrchestrationFailed(in.details())),
          entry(
              "OrchestrationContinuedAsNew",
              in ->
                  new EventKind.OrchestrationContinuedAsNew(in.text("input"), PruneForm.read(in))));

  private EventReader() {}

  static Event read(FieldReader in) {
    Function<FieldReader, EventKind> kind = KINDS.get(in.text("type"));
    if (kind == null) {
      throw in.unknown("type");
    }
    return new Event(
        new ExecutionKey(in.text("instance_id"), in.number("execution_id")),
        in.number("event_id"),
        in.optionalNumber("source_event_id"),
        new EventStamp(in.instant("timestamp_ms"), in.text("duroxide_version")),
        kind.apply(in));
  }

  private static EventKind started(FieldReader in) {
    return new EventKind.OrchestrationStarted(
        in.text("name"),
        in.text("version"),
        in.text("input"),
        in.parent(),
        new Inheritance(
            in.carried(),
            in.optionalText("initial_custom_status"),
            PruneForm.readAutoPrune(in),
            in.reads()));
  }

  private static EventKind pruneRequested(FieldReader in) {
    Retention retention = PruneForm.read(in);
    if (retention == null) {
      throw in.problem("field 'prune' is missing");
    }
    return new EventKind.HistoryPruneRequested(retention);
  }

  private static EventKind activityScheduled(FieldReader in) {
    return new EventKind.ActivityScheduled(
        in.text("name"), in.text("input"), in.optionalText("session_id"), in.optionalText("tag"));
  }

  private static EventKind keyValueSet(FieldReader in) {
    return new EventKind.KeyValueSet(
        in.text("key"),
        in.text("value"),
        Instant.ofEpochMilli(in.numberOr("last_updated_at_ms", 0)));
  }
}
