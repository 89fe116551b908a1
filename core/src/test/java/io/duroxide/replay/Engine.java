package io.duroxide.replay;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Drives code through turns as a runtime would, without one: keeps the history, feeds messages, and
 * gives each result. By default the execution stays parked between turns; {@link #rebuildEachTurn}
 * starts every turn from a fresh one.
 */
final class Engine {
  static final EngineOptions OPTIONS = options(Limits.DEFAULT);

  private final OrchestrationCode code;
  private final List<Event> history = new ArrayList<>();
  private Map<String, KvEntry> kv = Map.of();
  private ExecutionKey key = Facts.KEY;
  private EngineOptions options = options(Limits.DEFAULT);
  private int persistedCount = -1;
  private boolean rebuild;
  private Execution execution;

  private Engine(OrchestrationCode code) {
    this.code = code;
  }

  static Engine of(OrchestrationCode code) {
    return new Engine(code);
  }

  static EngineOptions options(Limits limits) {
    AtomicLong guids = new AtomicLong();
    return new EngineOptions(
        () -> Facts.NOON,
        () -> new UUID(0, guids.incrementAndGet()),
        DataConverter.json(),
        limits,
        Duration.ofSeconds(10),
        new Author("0.1.0", "node"),
        HistoryPruning.NONE);
  }

  /** One turn over a stored history. */
  static TurnResult replay(OrchestrationCode code, Event... history) {
    return of(code).history(history).turn();
  }

  /** One turn of an execution that has just been started with this input. */
  static TurnResult fresh(OrchestrationCode code) {
    return of(code).started("in").turn();
  }

  Engine history(Event... events) {
    history.addAll(List.of(events));
    return this;
  }

  /** A first turn: the start is in the history but not stored yet. */
  Engine started(String input) {
    history.add(Facts.started(input));
    persistedCount = 0;
    return this;
  }

  /** Says how many events of the history are stored; all of them unless told. */
  Engine persisted(int count) {
    persistedCount = count;
    return this;
  }

  Engine kv(Map<String, KvEntry> snapshot) {
    kv = snapshot;
    return this;
  }

  Engine execution(long executionId) {
    key = new ExecutionKey(Facts.INSTANCE, executionId);
    return this;
  }

  Engine options(EngineOptions newOptions) {
    options = newOptions;
    return this;
  }

  Engine rebuildEachTurn() {
    rebuild = true;
    return this;
  }

  /** Runs a turn and keeps its events, as a commit would. */
  TurnResult turn(WorkItem... messages) {
    boolean cold = execution == null || rebuild;
    if (cold && execution != null) {
      execution.discard();
    }
    TurnInput input;
    if (cold) {
      execution = new Execution(new ExecutionSetup(key, "Order", "1.0.0", code, options));
      int persisted = persistedCount < 0 ? history.size() : persistedCount;
      input = new TurnInput(history, persisted, List.of(messages), kv);
    } else {
      input = TurnInput.messages(List.of(messages));
    }
    TurnResult result = execution.turn(input);
    history.addAll(result.delta());
    persistedCount = -1;
    return result;
  }

  /** Everything recorded so far. */
  List<Event> recorded() {
    return List.copyOf(history);
  }

  /** The kinds of the events of a delta. */
  static List<EventKind> kinds(TurnResult result) {
    return result.delta().stream().map(Event::kind).toList();
  }

  void close() {
    if (execution != null) {
      execution.discard();
    }
  }
}
