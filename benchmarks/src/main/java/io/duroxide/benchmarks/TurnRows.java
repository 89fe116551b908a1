package io.duroxide.benchmarks;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one turn of the storage benchmark writes: three events, an activity, a message. */
public final class TurnRows {
  public static final int EVENTS = 3;
  private static final EventStamp STAMP =
      new EventStamp(Instant.parse("2026-01-01T00:00:00Z"), "0.1.0");
  private static final String PAYLOAD = "{\"order\":7,\"item\":\"lamp\",\"cents\":4900}";

  private TurnRows() {}

  public static List<Event> events(ExecutionKey execution, long lastId) {
    return List.of(
        event(execution, lastId + 1, lastId, new EventKind.ActivityCompleted(PAYLOAD)),
        event(execution, lastId + 2, null, new EventKind.TimerCreated(STAMP.at())),
        event(
            execution,
            lastId + 3,
            null,
            new EventKind.ActivityScheduled("Charge", PAYLOAD, null, null)));
  }

  private static Event event(
      ExecutionKey execution, long id, @Nullable Long source, EventKind kind) {
    return new Event(execution, id, source, STAMP, kind);
  }

  public static WorkItem activity(ExecutionKey execution, long id) {
    return new WorkItem.ActivityExecute(
        new ActivityKey(execution.instance(), execution.executionId(), id),
        "Charge",
        PAYLOAD,
        ActivityRouting.ANYWHERE,
        new ActivityOrigin("Order", "1.0.0"));
  }

  public static WorkItem message(ExecutionKey execution) {
    return new WorkItem.ExternalRaised(execution.instance(), "Next", PAYLOAD);
  }

  public static Event started(ExecutionKey execution) {
    return event(
        execution,
        1,
        null,
        new EventKind.OrchestrationStarted("Order", "1.0.0", PAYLOAD, null, Inheritance.NOTHING));
  }
}
