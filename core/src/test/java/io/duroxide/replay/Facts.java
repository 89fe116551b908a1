package io.duroxide.replay;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import java.time.Instant;

/** Recorded events and messages of the execution {@code order-7/1}, by the names of the catalog. */
final class Facts {
  static final String INSTANCE = "order-7";
  static final ExecutionKey KEY = new ExecutionKey(INSTANCE, 1);
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  static final EventStamp STAMP = new EventStamp(NOON, "0.1.0");

  private Facts() {}

  static Event event(long id, EventKind kind) {
    return new Event(KEY, id, null, STAMP, kind);
  }

  static Event event(long id, long source, EventKind kind) {
    return new Event(KEY, id, source, STAMP, kind);
  }

  static Event started(String input) {
    return event(
        1, new EventKind.OrchestrationStarted("Order", "1.0.0", input, null, Inheritance.NOTHING));
  }

  static Event activityScheduled(long id, String name, String input) {
    return event(id, new EventKind.ActivityScheduled(name, input, null, null));
  }

  static Event activityCompleted(long id, long source, String result) {
    return event(id, source, new EventKind.ActivityCompleted(result));
  }

  static Event activityFailed(long id, long source, String message) {
    return event(id, source, new EventKind.ActivityFailed(failure(message)));
  }

  static Event timerCreated(long id, Instant fireAt) {
    return event(id, new EventKind.TimerCreated(fireAt));
  }

  static Event timerFired(long id, long source) {
    return event(id, source, new EventKind.TimerFired(NOON));
  }

  static Event subscribed(long id, String name) {
    return event(id, new EventKind.ExternalSubscribed(name));
  }

  static Event externalEvent(long id, String name, String data) {
    return event(id, new EventKind.ExternalEvent(name, data));
  }

  static Event queueSubscribed(long id, String name) {
    return event(id, new EventKind.QueueSubscribed(name));
  }

  static Event queueDelivered(long id, String name, String data) {
    return event(id, new EventKind.QueueEventDelivered(name, data));
  }

  static Event childScheduled(long id, String name, String instance, String input) {
    return event(id, new EventKind.SubOrchestrationScheduled(name, instance, input));
  }

  static Event childCompleted(long id, long source, String result) {
    return event(id, source, new EventKind.SubOrchestrationCompleted(result));
  }

  static Event childFailed(long id, long source, ErrorDetails details) {
    return event(id, source, new EventKind.SubOrchestrationFailed(details));
  }

  static ErrorDetails failure(String message) {
    return new ErrorDetails.Application(ApplicationErrorKind.ACTIVITY_FAILED, message);
  }

  static WorkItem activityDone(long id, String result) {
    return new WorkItem.ActivityCompleted(INSTANCE, 1, id, result);
  }

  static WorkItem activityFailed(long id, ErrorDetails details) {
    return new WorkItem.ActivityFailed(INSTANCE, 1, id, details);
  }

  static WorkItem timerDue(long id) {
    return new WorkItem.TimerFired(INSTANCE, 1, id, NOON);
  }

  static WorkItem raised(String name, String data) {
    return new WorkItem.ExternalRaised(INSTANCE, name, data);
  }

  static WorkItem queued(String name, String data) {
    return new WorkItem.QueueMessage(INSTANCE, name, data);
  }

  static WorkItem childDone(long id, String result) {
    return new WorkItem.SubOrchCompleted(INSTANCE, 1, id, result);
  }

  static WorkItem childFailed(long id, ErrorDetails details) {
    return new WorkItem.SubOrchFailed(INSTANCE, 1, id, details);
  }

  static WorkItem cancel(String reason) {
    return new WorkItem.CancelInstance(INSTANCE, reason, null);
  }
}
