package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.replay.TurnResult.LeftOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an orchestration, from its first turn or rebuilt from history to its end.
 *
 * <p>{@link #turn} is a function of what is recorded and what arrived, up to time stamps and random
 * ids. Between turns the code stays parked, so a turn costs what is new and not how long the
 * history is. A turn that was not committed must be followed by {@link #discard}. Not thread-safe:
 * one turn at a time.
 */
public final class Execution {
  private final ExecutionSetup setup;
  private final Nondeterminism words;
  private final Ledger ledger;
  private final Conductor conductor;
  private final KvState kv;
  private final ReplayContext context;
  private final Walk walk;
  private final HistorySize size;
  private boolean parked;

  public Execution(ExecutionSetup setup) {
    this.setup = setup;
    EngineOptions options = setup.options();
    this.words = new Nondeterminism(setup.key(), setup.name());
    this.ledger = new Ledger(setup.key());
    this.conductor = new Conductor(setup.key(), options.blockingLimit(), options.clock());
    this.kv = new KvState(conductor, options);
    this.context = new ReplayContext(setup, conductor, kv);
    this.walk = new Walk(setup, conductor, words, ledger);
    this.size = new HistorySize(options.limits());
  }

  /** The id of the newest event this execution knows, recorded by it or given to it. */
  public long lastEventId() {
    return ledger.lastId();
  }

  public ExecutionSetup setup() {
    return setup;
  }

  /** How the execution began; absent before its first turn. */
  public Optional<EventKind.OrchestrationStarted> started() {
    return Optional.ofNullable(ledger.started());
  }

  /** Whether this activity is open and no other activity or child is. */
  public boolean waitsFor(long activityId) {
    return ledger.waitsFor(activityId);
  }

  /** Ends the parked code; what it does meanwhile is ignored. */
  public void discard() {
    parked = false;
    conductor.unwindAll();
  }

  /** Computes one turn. */
  public TurnResult turn(TurnInput input) {
    ledger.absorb(input.history());
    size.add(input.history());
    if (ledger.terminal()) {
      return new TurnResult(
          new TurnOutcome.Continue(),
          List.of(),
          List.of(),
          Abandoned.NOTHING,
          Outstanding.NOTHING,
          LeftOver.NOTHING);
    }
    Recording recording = new Recording(setup.key(), setup.options(), ledger.lastId());
    Intake intake = new Intake(setup.key(), ledger, recording, words);
    intake.convert(input.messages());
    int converted = recording.size();
    ErrorDetails abort = intake.abort();
    if (abort == null) {
      abort = corruption();
    }
    if (abort != null) {
      return failed(abort, recording, converted);
    }
    runCode(input, recording);
    return conclude(input, recording, converted);
  }

  private @Nullable ErrorDetails corruption() {
    if (ledger.isEmpty()) {
      return words.corrupted("empty");
    }
    return ledger.started() == null
        ? words.corrupted("first event must be OrchestrationStarted")
        : null;
  }

  private void runCode(TurnInput input, Recording recording) {
    EventKind.OrchestrationStarted started = ledger.started();
    if (started == null) {
      throw new IllegalStateException(setup.key() + ": no start was recorded");
    }
    if (!parked) {
      seed(input.kvSnapshot(), started);
      conductor.replaying(input.persistedCount() > 0);
    }
    for (Event event : input.history()) {
      if (event.kind() instanceof EventKind.KeyValueSet set) {
        kv.recorded(set.lastUpdatedAt());
      }
    }
    List<Event> events = new ArrayList<>(input.history());
    events.addAll(recording.events());
    walk.begin(events, input.persistedCount(), recording);
    parked = true;
    conductor.run(walk, () -> root(started.input()));
    if (conductor.finished() != null && walk.failure() == null) {
      walk.recordLeftOver();
    }
  }

  private void seed(Map<String, KvEntry> snapshot, EventKind.OrchestrationStarted started) {
    kv.seed(snapshot);
    context.inheritCustomStatus(started.inheritance().customStatus());
  }

  private void root(String input) {
    try {
      String output = setup.code().run(context, input);
      Throwable unseen = conductor.unseenFailure();
      conductor.finish(
          unseen == null
              ? new Finish.Returned(output)
              : Failures.of(unseen, setup.options().converter()));
    } catch (Unwind unwind) {
      return;
    } catch (StackOverflowError e) {
      conductor.finish(Failures.of(e, setup.options().converter()));
    } catch (VirtualMachineError e) {
      conductor.fatal(e);
    } catch (Throwable e) {
      conductor.finish(Failures.of(e, setup.options().converter()));
    }
  }

  private TurnResult conclude(TurnInput input, Recording recording, int converted) {
    ErrorDetails failure = walk.failure();
    if (failure != null) {
      return failed(failure, recording, converted);
    }
    TurnOutcome outcome = outcome();
    Abandoned abandoned = Abandoned.NOTHING;
    if (reconciles(outcome)) {
      List<OperationFuture> dropped = conductor.takeAbandoned();
      Reconciliation reconciliation = new Reconciliation(ledger, words, dropped);
      ErrorDetails mismatch =
          input.persistedCount() > 0 ? reconciliation.mismatch(input.history()) : null;
      if (mismatch != null) {
        return failed(mismatch, recording, converted);
      }
      abandoned = reconciliation.record(recording);
      dropped.forEach(walk::forget);
    }
    List<Event> fresh = recording.behind(converted);
    LimitExcess excess = new LimitCheck(setup.options().limits()).violation(fresh, kv.size());
    if (excess == null && outcome instanceof TurnOutcome.Continue) {
      excess = size.violation(recording);
    }
    if (excess != null) {
      return failed(new TurnOutcome.Failed(excess.details(), excess), recording, converted);
    }
    List<Event> events = arrivals(recording.first(converted));
    events.addAll(fresh);
    ledger.absorb(events);
    size.add(recording);
    return finished(outcome, recording, abandoned);
  }

  private TurnOutcome outcome() {
    Finish finish = conductor.finished();
    String cancelled = ledger.cancelReason();
    if (finish instanceof Finish.Panicked panic) {
      return new TurnOutcome.Failed(panic.details());
    }
    if (cancelled != null) {
      return new TurnOutcome.Cancelled(cancelled);
    }
    return switch (finish) {
      case null -> new TurnOutcome.Continue();
      case Finish.Returned returned -> new TurnOutcome.Completed(returned.output());
      case Finish.Failed failed -> new TurnOutcome.Failed(failed.details());
      case Finish.Panicked panicked -> new TurnOutcome.Failed(panicked.details());
      case Finish.ContinuedAsNew next ->
          new TurnOutcome.ContinueAsNew(next.input(), next.version(), next.prune());
    };
  }

  /** Everything that a cancelled or continued execution leaves open is handled at its end. */
  private boolean reconciles(TurnOutcome outcome) {
    return switch (outcome) {
      case TurnOutcome.Cancelled ignored -> false;
      case TurnOutcome.ContinueAsNew ignored -> false;
      case TurnOutcome.Failed ignored -> !(conductor.finished() instanceof Finish.Panicked);
      case TurnOutcome.Completed ignored -> true;
      case TurnOutcome.Continue ignored -> true;
    };
  }

  private TurnResult finished(TurnOutcome outcome, Recording recording, Abandoned abandoned) {
    boolean ends = !(outcome instanceof TurnOutcome.Continue);
    LeftOver leftOver =
        outcome instanceof TurnOutcome.ContinueAsNew
            ? new LeftOver(walk.unconsumed(), context.customStatus().orElse(null))
            : LeftOver.NOTHING;
    TurnResult result =
        new TurnResult(
            outcome,
            recording.events(),
            walk.newActions(),
            abandoned,
            ends ? walk.outstanding() : Outstanding.NOTHING,
            leftOver);
    walk.end();
    if (ends) {
      discard();
    }
    return result;
  }

  private TurnResult failed(ErrorDetails details, Recording recording, int converted) {
    return failed(new TurnOutcome.Failed(details), recording, converted);
  }

  /** The code's doing in this turn is void; what arrived is kept. */
  private TurnResult failed(TurnOutcome.Failed outcome, Recording recording, int converted) {
    discard();
    List<Event> kept = recording.first(converted);
    ledger.absorb(arrivals(kept));
    return new TurnResult(
        outcome, kept, List.of(), Abandoned.NOTHING, ledger.outstanding(), LeftOver.NOTHING);
  }

  private static List<Event> arrivals(List<Event> converted) {
    List<Event> arrivals = new ArrayList<>(converted.size());
    for (Event event : converted) {
      if (event.kind() instanceof EventKind.Arrival) {
        arrivals.add(event);
      }
    }
    return arrivals;
  }
}
