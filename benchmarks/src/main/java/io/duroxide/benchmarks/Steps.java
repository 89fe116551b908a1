package io.duroxide.benchmarks;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.replay.Author;
import io.duroxide.replay.EngineOptions;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import io.duroxide.replay.HistoryPruning;
import io.duroxide.replay.OrchestrationCode;
import io.duroxide.replay.TurnInput;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A chain of activities without end, its history, and the message that lets it go on. */
final class Steps {
  private static final String ACTIVITY = "Step";
  private static final String RESULT = "done";
  private static final String VERSION = "1.0.0";
  private static final EventStamp STAMP = new EventStamp(Instant.EPOCH, VERSION);
  private static final EngineOptions OPTIONS =
      new EngineOptions(
          InstantSource.system(),
          UUID::randomUUID,
          DataConverter.json(),
          Limits.DEFAULT,
          Duration.ofSeconds(10),
          new Author(VERSION, "node"),
          HistoryPruning.NONE);

  private Steps() {}

  static String chain(OrchestrationContext ctx, String input) {
    String last = input;
    while (!last.isEmpty()) {
      last = ctx.callActivity(ACTIVITY, input).await();
    }
    return last;
  }

  static Execution execution(ExecutionKey key, OrchestrationCode code) {
    return new Execution(new ExecutionSetup(key, "Chain", VERSION, code, OPTIONS));
  }

  /** A parked chain whose history has this many events. */
  static Execution parked(String instance, int events) {
    ExecutionKey key = new ExecutionKey(instance, 1);
    Execution execution = execution(key, Steps::chain);
    execution.turn(TurnInput.of(history(key, events), List.of()));
    return execution;
  }

  /** Completes the step that the chain waits for. */
  static TurnInput completion(Execution execution) {
    ExecutionKey key = execution.setup().key();
    return TurnInput.messages(
        List.of(
            new WorkItem.ActivityCompleted(
                key.instance(), key.executionId(), execution.lastEventId(), RESULT)));
  }

  /** The start, then pairs of a schedule and its completion, and one open schedule. */
  static List<Event> history(ExecutionKey key, int events) {
    List<Event> history = new ArrayList<>(events);
    history.add(started(key));
    while (history.size() < events) {
      long id = history.size() + 1L;
      history.add(
          id % 2 == 0
              ? new Event(
                  key, id, null, STAMP, new EventKind.ActivityScheduled(ACTIVITY, "7", null, null))
              : new Event(key, id, id - 1, STAMP, new EventKind.ActivityCompleted(RESULT)));
    }
    return history;
  }

  static Event started(ExecutionKey key) {
    return new Event(
        key,
        1,
        null,
        STAMP,
        new EventKind.OrchestrationStarted("Chain", VERSION, "7", null, Inheritance.NOTHING));
  }
}
