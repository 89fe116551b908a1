package io.duroxide.replay;

import io.duroxide.model.Event;
import io.duroxide.model.WorkItem;
import io.duroxide.replay.Schedule.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Gives the same messages to the same program one by one and in random batches. Ids differ between
 * the two, so an outcome is known by what was asked for.
 */
final class SplitTrial {
  private static final int DRAIN_TURNS = 60;

  /** A message independent of event ids: an arrival, or the outcome of the action with this key. */
  private record Letter(@Nullable WorkItem arrival, String key, boolean fails) {}

  private final Program program;
  private final List<Letter> letters = new ArrayList<>();

  private SplitTrial(Program program) {
    this.program = program;
  }

  static void run(Program program, Schedule schedule) {
    SplitTrial trial = new SplitTrial(program);
    List<String> oneByOne = trial.oneByOne(schedule);
    for (int splits = 0; splits < 2; splits++) {
      List<String> batched = trial.inBatches(new Random(schedule.hashCode() * 31L + splits));
      if (!oneByOne.equals(batched)) {
        throw new Trial.Violation(
            "messages %s%n  one by one %s%n  in batches %s"
                .formatted(trial.letters, oneByOne, batched));
      }
    }
  }

  /** A warm run of the program that knows which actions are open. */
  private final class Run {
    private final Engine engine = Engine.of(new ProgramCode(program, true)).started("1");
    private final List<NewAction> open = new ArrayList<>();
    private TurnResult last = dispatch(engine.turn());

    private TurnResult dispatch(TurnResult result) {
      for (NewAction action : result.actions()) {
        switch (action.action()) {
          case Action.CallActivity ignored -> open.add(action);
          case Action.CreateTimer ignored -> open.add(action);
          case Action.StartSubOrchestration ignored -> open.add(action);
          default -> {}
        }
      }
      return result;
    }

    boolean ended() {
      return !(last.outcome() instanceof TurnOutcome.Continue);
    }

    void turn(List<WorkItem> messages) {
      last = dispatch(engine.turn(messages.toArray(new WorkItem[0])));
    }

    /** The message for a letter; null as long as the code has not asked for it. */
    @Nullable WorkItem deliver(Letter letter) {
      if (letter.arrival != null) {
        return letter.arrival;
      }
      for (NewAction action : open) {
        if (action.action().toString().equals(letter.key)) {
          open.remove(action);
          return World.outcome(Facts.KEY, action, letter.fails);
        }
      }
      return null;
    }

    /** What must not depend on batches. */
    List<String> result() {
      List<String> all = new ArrayList<>();
      all.add(last.outcome().toString());
      all.add(last.leftOver().messages().toString());
      if (ended()) {
        engine.recorded().stream()
            .map(Event::kind)
            .filter(kind -> kind instanceof io.duroxide.model.EventKind.Schedule)
            .filter(
                kind -> !(kind instanceof io.duroxide.model.EventKind.SubOrchestrationScheduled))
            .map(Object::toString)
            .sorted()
            .forEach(all::add);
      }
      engine.close();
      return all;
    }
  }

  private List<String> oneByOne(Schedule schedule) {
    Run run = new Run();
    List<Signal> signals =
        new ArrayList<>(
            schedule.batches().stream().flatMap(batch -> batch.signals().stream()).toList());
    for (int i = 0; i < DRAIN_TURNS; i++) {
      signals.add(new Schedule.Finish(i, i % 5 == 0));
      if (i % 4 == 3) {
        signals.add(new Schedule.Enqueue("q" + i / 4 % 2));
        signals.add(new Schedule.Raise("e" + i / 4 % 2));
      }
    }
    for (Signal signal : signals) {
      if (run.ended()) {
        break;
      }
      Letter letter = letter(signal, run.open);
      WorkItem message = letter == null ? null : run.deliver(letter);
      if (letter != null && message != null) {
        letters.add(letter);
        run.turn(List.of(message));
      }
    }
    return run.result();
  }

  private @Nullable Letter letter(Signal signal, List<NewAction> open) {
    return switch (signal) {
      case Schedule.Finish(int pick, boolean fails) ->
          open.isEmpty()
              ? null
              : new Letter(null, open.get(pick % open.size()).action().toString(), fails);
      case Schedule.Raise(String name) ->
          new Letter(Facts.raised(name, "e" + letters.size()), "", false);
      case Schedule.Enqueue(String queue) ->
          new Letter(Facts.queued(queue, "q" + letters.size()), "", false);
      default -> null;
    };
  }

  private List<String> inBatches(Random random) {
    Run run = new Run();
    List<WorkItem> batch = new ArrayList<>();
    for (Letter letter : letters) {
      WorkItem message = run.ended() ? null : run.deliver(letter);
      if (message == null && !run.ended()) {
        run.turn(batch);
        batch.clear();
        message = run.ended() ? null : run.deliver(letter);
      }
      if (run.ended()) {
        break;
      }
      if (message == null) {
        throw new Trial.Violation("in batches nobody asked for " + letter.key);
      }
      batch.add(message);
      if (random.nextInt(4) == 0) {
        run.turn(batch);
        batch.clear();
      }
    }
    if (!run.ended() && !batch.isEmpty()) {
      run.turn(batch);
    }
    return run.result();
  }
}
