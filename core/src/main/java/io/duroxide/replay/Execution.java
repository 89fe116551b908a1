package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.replay.TurnResult.LeftOver;
import java.time.Instant;
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
    this.conductor = new Conductor(setup.key(), options);
    this.kv = new KvState(conductor, options);
    this.context = new ReplayContext(setup, conductor, kv);
    this.walk = new Walk(setup, conductor, words, ledger);
    this.size = new HistorySize(options.limits());
  }

  /**
   * No code of this process is run for now: the thread that looks at code which takes too long
   * ends, unless others have code run.
   */
  public static void dismissWatch() {
    Watchman.leave();
  }

  /** The id of the newest event this execution knows, recorded by it or given to it. */
  public long lastEventId() {
    return ledger.lastId();
  }

  /** No event that follows is earlier than this. */
  public Instant lastEventAt() {
    return ledger.lastAt();
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

  /** Ends the parked code; what it does meanwhile is ignored, what it logged is dropped. */
  public void discard() {
    try {
      context.lines().thrownAway();
    } finally {
      unwind();
    }
  }

  private void unwind() {
    parked = false;
    conductor.unwindAll();
  }

  /** The turn that was computed last is stored: what its code logged is written. */
  public void stored() {
    context.lines().stored();
  }

  /** Waits until code that was left by {@link CodeLeft} has stopped. */
  public void awaitCode() {
    conductor.awaitLeft();
  }

  /** Computes one turn, however long that takes. */
  public TurnResult turn(TurnInput input) {
    return turn(input, Patience.ENDLESS);
  }

  /**
   * Computes one turn.
   *
   * @throws CodeLeft if the patience of the calling thread is over first; the turn is lost then
   */
  public TurnResult turn(TurnInput input, Patience patience) {
    context.lines().open();
    try {
      return compute(input, patience);
    } finally {
      context.lines().close();
    }
  }

  /**
   * Records what arrived and runs no code: the turn that follows finds it in history. To be called
   * instead of {@link #turn}, on an execution that has not run; it is to be discarded afterwards.
   */
  public TurnResult takeIn(TurnInput input) {
    ledger.absorb(input.history());
    Recording recording = new Recording(setup.key(), setup.options(), ledger);
    Intake intake = new Intake(setup.key(), ledger, recording, words);
    intake.convert(input.messages());
    ErrorDetails abort = intake.abort();
    return abort == null
        ? new TurnResult(new TurnOutcome.Continue(), recording.events(), Outstanding.NOTHING)
        : failed(abort, recording, recording.size());
  }

  private TurnResult compute(TurnInput input, Patience patience) {
    ledger.absorb(input.history());
    size.add(input.history());
    if (ledger.terminal()) {
      return new TurnResult(new TurnOutcome.Continue(), List.of(), Outstanding.NOTHING);
    }
    Recording recording = new Recording(setup.key(), setup.options(), ledger);
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
    runCode(input, recording, patience);
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

  private void runCode(TurnInput input, Recording recording, Patience patience) {
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
    conductor.run(walk, () -> root(started.input()), patience);
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
    LimitExcess asked = askedTooMuch();
    if (asked != null) {
      return failed(new TurnOutcome.Failed(asked.details(), asked), recording, converted);
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

  private @Nullable LimitExcess askedTooMuch() {
    return conductor.finished() instanceof Finish.Exceeded exceeded
        ? exceeded.excess()
        : LimitCheck.actions(walk.newActions().size(), setup.options().limits());
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
      case Finish.Exceeded exceeded -> new TurnOutcome.Failed(exceeded.excess().details());
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
            leftOver,
            new MailboxState(walk.mailboxes(), mail(outcome, recording)));
    walk.end();
    if (ends) {
      unwind();
    }
    return result;
  }

  /** A failure, a cancel and a continuation wait for no mail. */
  private MailAtEnd mail(TurnOutcome outcome, Recording recording) {
    List<String> queues = context.queuesToRead();
    return outcome instanceof TurnOutcome.Completed && !queues.isEmpty()
        ? new MailAtEnd(queues, walk.leaves(queues, recording.events()))
        : MailAtEnd.NONE;
  }

  private TurnResult failed(ErrorDetails details, Recording recording, int converted) {
    return failed(new TurnOutcome.Failed(details), recording, converted);
  }

  /** The code's doing in this turn is void; what arrived is kept. */
  private TurnResult failed(TurnOutcome.Failed outcome, Recording recording, int converted) {
    unwind();
    List<Event> kept = recording.first(converted);
    ledger.absorb(arrivals(kept));
    return new TurnResult(outcome, kept, ledger.outstanding());
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
