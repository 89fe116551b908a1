package io.duroxide.replay;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one program against one schedule in several ways at once, turn by turn, and says what
 * differs: parked all the time, rebuilt every turn, rebuilt twice, and wandering between two nodes
 * that learn of each other's turns only from the store.
 */
final class Trial {
  private static final int DRAIN_TURNS = 40;
  private static final int MAX_EXECUTIONS = 4;

  private final Program program;
  private final Schedule schedule;
  private final Consumer<EventKind> recorded;
  private final Way parked;
  private final Way rebuilt;
  private final Way wandering;
  private final TreeMap<String, KvEntry> kv = new TreeMap<>();
  private int turns;
  private int batch;

  private Trial(Program program, Schedule schedule, Consumer<EventKind> recorded) {
    this.recorded = recorded;
    this.program = program;
    this.schedule = schedule;
    this.parked = new Way();
    this.rebuilt = new Way();
    this.wandering = new Way();
    kv.put("k0", new KvEntry("base", Facts.NOON));
    kv.put("k7", new KvEntry("old", Instant.EPOCH));
  }

  /** What went wrong. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  /**
   * Throws what went wrong.
   *
   * @param recorded told what was recorded
   */
  static void run(Program program, Schedule schedule, Consumer<EventKind> recorded) {
    Trial trial = new Trial(program, schedule, recorded);
    try {
      trial.instance();
    } finally {
      trial.parked.discard();
      trial.rebuilt.discard();
      trial.wandering.discard();
    }
  }

  /** One way of running the code: its nodes, their parked executions, and what the code said. */
  private final class Way {
    private final ProgramCode[] codes = {
      new ProgramCode(program, false), new ProgramCode(program, false)
    };
    private final @Nullable Execution[] nodes = new Execution[2];
    private int guids;

    private final EngineOptions options =
        new EngineOptions(
            () -> Facts.NOON.plusSeconds(turns),
            () -> new UUID(turns, ++guids),
            DataConverter.json(),
            Limits.DEFAULT,
            Duration.ofSeconds(20),
            new Author("0.1.0", "node"),
            (setup, retention) ->
                new EventKind.HistoryPruned(
                    turns % 3, turns, retention.keepLast(), null, turns % 2 == 0 ? null : "odd"));

    TurnResult turn(ExecutionKey key, List<Event> history, int node, List<WorkItem> messages) {
      guids = 0;
      Execution execution = nodes[node];
      if (execution == null) {
        execution = new Execution(new ExecutionSetup(key, "Order", "1.0.0", codes[node], options));
        nodes[node] = execution;
      }
      long known = execution.lastEventId();
      List<Event> unseen = history.stream().filter(event -> event.id() > known).toList();
      int persisted = history.size() == 1 ? 0 : unseen.size();
      return execution.turn(new TurnInput(unseen, persisted, messages, kv));
    }

    void evict(int node) {
      Execution execution = nodes[node];
      if (execution != null) {
        execution.discard();
        nodes[node] = null;
      }
    }

    void discard() {
      evict(0);
      evict(1);
    }
  }

  private void instance() {
    String input = "2";
    List<CarriedEvent> carried = List.of();
    String status = null;
    for (int number = 1; number <= MAX_EXECUTIONS; number++) {
      ExecutionKey key = new ExecutionKey(Facts.INSTANCE, number);
      List<Event> history = new ArrayList<>();
      history.add(
          new Event(
              key,
              1,
              null,
              Facts.STAMP,
              new EventKind.OrchestrationStarted(
                  "Order", "1.0.0", input, null, new Inheritance(carried, status, null))));
      TurnResult last = execution(key, history, carried);
      if (!(last.outcome() instanceof TurnOutcome.ContinueAsNew next)) {
        return;
      }
      mergeKv(history);
      input = next.input();
      carried = last.leftOver().messages();
      status = last.leftOver().customStatus();
    }
  }

  private TurnResult execution(ExecutionKey key, List<Event> history, List<CarriedEvent> carried) {
    World world = new World(key);
    Invariants invariants = new Invariants(key);
    List<WorkItem> first = new ArrayList<>();
    carried.forEach(message ->
        first.add(new WorkItem.QueueMessage(key.instance(), message.queue(), message.data())));
    for (int drained = 0; ; ) {
      Schedule.Batch next = nextBatch();
      if (next == null) {
        next = drain(world, ++drained);
      }
      List<WorkItem> messages = new ArrayList<>(first);
      first.clear();
      messages.addAll(world.messages(next.signals()));
      TurnResult result = turn(key, history, next, messages);
      invariants.turn(history, messages, result);
      history.addAll(result.delta());
      if (!(result.outcome() instanceof TurnOutcome.Continue)) {
        invariants.end(history, result).forEach(event -> recorded.accept(event.kind()));
        parked.discard();
        rebuilt.discard();
        wandering.discard();
        return result;
      }
      addsNothing(key, history);
      world.dispatch(result);
    }
  }

  private Schedule.@Nullable Batch nextBatch() {
    return batch < schedule.batches().size() ? schedule.batches().get(batch++) : null;
  }

  /** When the schedule is used up: finish what is open one by one, and in the end cancel. */
  private static Schedule.Batch drain(World world, int count) {
    Schedule.Signal signal = new Schedule.Finish(count, count % 5 == 0);
    if (count > DRAIN_TURNS) {
      signal = new Schedule.CancelIt();
    } else if (world.idle()) {
      signal =
          count % 2 == 0
              ? new Schedule.Enqueue("q" + count / 2 % 2)
              : new Schedule.Raise("e" + count / 2 % 2);
    }
    return new Schedule.Batch(List.of(signal), count % 2, false);
  }

  private TurnResult turn(
      ExecutionKey key, List<Event> history, Schedule.Batch batch, List<WorkItem> messages) {
    turns++;
    TurnResult warm = parked.turn(key, history, 0, messages);
    rebuilt.evict(0);
    same("rebuilt", warm, rebuilt.turn(key, history, 0, messages), messages);
    Way twice = new Way();
    same("rebuilt twice", warm, twice.turn(key, history, 0, messages), messages);
    twice.discard();
    if (batch.evict()) {
      wandering.evict(batch.node());
    }
    TurnResult wandered = wandering.turn(key, history, batch.node(), messages);
    same("wandering", warm, wandered, messages);
    List<String> said = parked.codes[0].traces();
    if (!said.equals(rebuilt.codes[0].traces())) {
      throw new Violation(
          "turn %d: traces%n  parked  %s%n  rebuilt %s"
              .formatted(turns, said, rebuilt.codes[0].traces()));
    }
    if (warm.outcome() instanceof TurnOutcome.Continue && !parked.codes[0].overslept().isEmpty()) {
      throw new Violation("turn " + turns + ": overslept " + parked.codes[0].overslept());
    }
    if (!parked.codes[0].ghosts().isEmpty()) {
      throw new Violation("turn " + turns + ": given up and going on " + parked.codes[0].ghosts());
    }
    return warm;
  }

  private void same(String how, TurnResult warm, TurnResult other, List<WorkItem> messages) {
    if (!warm.equals(other)) {
      throw new Violation(
          "turn %d, messages %s%n  parked  %s%n  %s %s"
              .formatted(turns, messages, text(warm), how, text(other)));
    }
  }

  private static String text(TurnResult result) {
    StringBuilder text = new StringBuilder(result.outcome().toString());
    result.delta().forEach(event -> text.append("\n    ").append(text(event)));
    return text.append("\n    actions ")
        .append(result.actions())
        .append("\n    ")
        .append(result.abandoned())
        .append("\n    ")
        .append(result.outstanding())
        .append("\n    ")
        .append(result.leftOver())
        .toString();
  }

  static String text(Event event) {
    return event.id()
        + " "
        + event.kind()
        + (event.source() == null ? "" : " of " + event.source());
  }

  /** I9: a committed history alone makes the code do nothing new and say nothing. */
  private void addsNothing(ExecutionKey key, List<Event> history) {
    Way again = new Way();
    TurnResult result = history.size() == 1 ? null : again.turn(key, history, 0, List.of());
    again.discard();
    if (result == null) {
      return;
    }
    boolean nothing =
        result.outcome() instanceof TurnOutcome.Continue
            && result.delta().isEmpty()
            && result.actions().isEmpty()
            && result.abandoned().equals(Abandoned.NOTHING)
            && again.codes[0].traces().isEmpty();
    if (!nothing) {
      StringBuilder recorded = new StringBuilder();
      history.forEach(event -> recorded.append("\n    ").append(text(event)));
      throw new Violation(
          "turn %d: replaying what is recorded gives %s%n  recorded %s"
              .formatted(turns, text(result), recorded));
    }
  }

  private void mergeKv(List<Event> history) {
    for (Event event : history) {
      switch (event.kind()) {
        case EventKind.KeyValueSet set ->
            kv.put(set.key(), new KvEntry(set.value(), set.lastUpdatedAt()));
        case EventKind.KeyValueCleared cleared -> kv.remove(cleared.key());
        case EventKind.KeyValuesCleared ignored -> kv.clear();
        default -> {}
      }
    }
  }
}
