package io.duroxide.runtime;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.KvEntry;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TurnCommit;
import io.duroxide.replay.Author;
import io.duroxide.replay.EngineOptions;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import io.duroxide.replay.HistoryPruning;
import io.duroxide.replay.OrchestrationCode;
import io.duroxide.replay.TurnInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Takes code through turns and plans the commit of each, as a runtime would, without a store. Every
 * turn is rebuilt from what the commits before it recorded.
 */
final class Turns {
  static final String ORDER_7 = "order-7";
  static final ExecutionKey KEY = new ExecutionKey(ORDER_7, 1);
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  static final EventStamp STAMP = new EventStamp(NOON, "0.1.0");
  static final ParentLink PARENT = new ParentLink("boss", 3, 9);

  private final OrchestrationCode code;
  private final List<Event> history = new ArrayList<>();
  private ExecutionKey key = KEY;
  private EventKind.OrchestrationStarted started =
      new EventKind.OrchestrationStarted("Order", "1.0.0", "in", null, Inheritance.NOTHING);
  private Limits limits = Limits.DEFAULT;
  private EventStamp planned = STAMP;
  private Map<String, KvEntry> kv = Map.of();

  private Turns(OrchestrationCode code) {
    this.code = code;
  }

  static Turns of(OrchestrationCode code) {
    return new Turns(code);
  }

  /** The commit of the first turn. */
  static TurnCommit first(OrchestrationCode code, WorkItem... messages) {
    return of(code).turn(messages);
  }

  Turns child() {
    started =
        new EventKind.OrchestrationStarted(
            "Order",
            "1.0.0",
            "in",
            PARENT,
            new Inheritance(
                started.inheritance().messages(), started.inheritance().customStatus(), null));
    return this;
  }

  /** A later execution that begins with this status and these messages. */
  Turns continued(String status, CarriedEvent... carried) {
    key = new ExecutionKey(ORDER_7, 2);
    started =
        new EventKind.OrchestrationStarted(
            "Order",
            "1.0.0",
            "in",
            started.parent(),
            new Inheritance(List.of(carried), status, null));
    return this;
  }

  Turns limits(Limits newLimits) {
    limits = newLimits;
    return this;
  }

  /** The clock goes on between a turn, which is at noon, and the plan of its commit. */
  Turns plannedAt(Instant later) {
    planned = new EventStamp(later, STAMP.frameworkVersion());
    return this;
  }

  /** Keys that earlier executions left behind. */
  Turns inheritedKeys(int count) {
    Map<String, KvEntry> keys = new HashMap<>();
    for (int i = 0; i < count; i++) {
      keys.put("inherited-" + i, new KvEntry("v", NOON));
    }
    kv = Map.copyOf(keys);
    return this;
  }

  /** Events that are recorded already, numbered from 2, behind the start. */
  Turns recorded(EventKind... kinds) {
    history.add(new Event(key, 1, null, STAMP, started));
    for (EventKind kind : kinds) {
      history.add(new Event(key, history.size() + 1, null, STAMP, kind));
    }
    return this;
  }

  /** A recorded event that refers to a schedule. */
  Turns answered(long source, EventKind kind) {
    history.add(new Event(key, history.size() + 1, source, STAMP, kind));
    return this;
  }

  /** Runs a turn and keeps its events. */
  TurnCommit turn(WorkItem... messages) {
    Event first = history.isEmpty() ? new Event(key, 1, null, STAMP, started) : null;
    Arrivals arrivals = new Arrivals(List.of(messages), List.of());
    TurnStart start = new TurnStart(key, started, first, history, arrivals, null, null);
    List<Event> known = new ArrayList<>(history);
    if (first != null) {
      known.add(first);
    }
    Execution execution =
        new Execution(new ExecutionSetup(key, started.name(), started.version(), code, engine()));
    try {
      TurnInput input = new TurnInput(known, history.size(), arrivals.messages(), kv);
      TurnCommit commit =
          CommitPlan.of(start, execution.turn(input), history.size(), planned, limits);
      history.addAll(commit.historyDelta());
      return commit;
    } finally {
      execution.discard();
    }
  }

  private EngineOptions engine() {
    return new EngineOptions(
        () -> NOON,
        () -> new UUID(0, 7),
        DataConverter.json(),
        limits,
        Duration.ofSeconds(10),
        new Author("0.1.0", "node"),
        HistoryPruning.NONE);
  }

  List<Event> history() {
    return List.copyOf(history);
  }

  static List<EventKind> kinds(TurnCommit commit) {
    return commit.historyDelta().stream().map(Event::kind).toList();
  }

  /** The decisions of a commit: the schedule each refers to, and why. */
  static List<String> decisions(TurnCommit commit) {
    return commit.historyDelta().stream()
        .filter(event -> event.kind() instanceof EventKind.Decision)
        .map(event ->
            event.kind().getClass().getSimpleName()
                + " "
                + event.source()
                + " "
                + ((EventKind.Decision) event.kind()).reason())
        .toList();
  }

  /** The ids of the activities a commit takes from the workers. */
  static List<Long> removed(TurnCommit commit) {
    return commit.cancelledActivities().stream().map(key -> key.activityId()).toList();
  }

  static <T extends WorkItem> List<T> sent(TurnCommit commit, Class<T> kind) {
    return commit.orchestratorItems().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  static ParentLink linkTo(long scheduleId) {
    return new ParentLink(ORDER_7, 1, scheduleId);
  }

  static WorkItem go() {
    return new WorkItem.ExternalRaised(ORDER_7, "go", "now");
  }

  static WorkItem queued(String queue, String data) {
    return new WorkItem.QueueMessage(ORDER_7, queue, data);
  }

  static WorkItem cancel() {
    return new WorkItem.CancelInstance(ORDER_7, "no longer needed", null);
  }
}
