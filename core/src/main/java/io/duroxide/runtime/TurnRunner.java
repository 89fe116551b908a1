package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.EventStamp;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.replay.EngineOptions;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import io.duroxide.replay.TurnInput;
import io.duroxide.replay.TurnOutcome;
import io.duroxide.replay.TurnResult;
import io.duroxide.telemetry.NodeEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Computes turns; whoever asks for one commits it. Thread-safe. */
final class TurnRunner {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  /** Beyond this many events replaying from the store takes a noticeable time. */
  private static final long LONG_HISTORY = 10_000;

  private final RuntimeParts parts;
  private final RuntimeOptions options;
  private final Pruner pruner;

  TurnRunner(RuntimeParts parts) {
    this.parts = parts;
    this.options = parts.options();
    this.pruner = new Pruner(parts);
  }

  /**
   * A turn that was computed and not yet committed.
   *
   * @param prune what its commit prunes, and why
   * @param hasRun whether the code has seen what arrived
   */
  record Planned(
      Execution execution,
      TurnResult result,
      TurnCommit commit,
      Optional<PrunePlan.Prune> prune,
      boolean hasRun) {
    /** Whether the execution waits in memory for its next turn. */
    boolean isParked() {
      return goesOn() && hasRun;
    }

    /** Whether the execution goes on after this turn. */
    boolean goesOn() {
      return result.outcome() instanceof TurnOutcome.Continue;
    }

    /** Whether it must not end because it leaves mail that came along. */
    boolean leavesMail() {
      return result.mail().atEnd().leavesNew() && !commit.mustBeEmpty().isEmpty();
    }

    /** The same for code that leaves its mail unread: nothing is demanded of mailboxes. */
    Planned withoutMailRules() {
      return new Planned(execution, result, commit.withMustBeEmpty(List.of()), prune, hasRun);
    }
  }

  /** Computes a turn. */
  Planned run(TurnTask task) {
    return plan(task, true, input -> task.execution().turn(input, task.patience()));
  }

  /** A turn that records what arrived and runs no code. */
  Planned takeIn(TurnTask task) {
    return plan(task, false, task.execution()::takeIn);
  }

  private Planned plan(TurnTask task, boolean runs, Function<TurnInput, TurnResult> turn) {
    OrchestrationItem item = task.item();
    Execution execution = task.execution();
    TurnStart start = task.run().start();
    long lastRecorded = Math.max(execution.lastEventId(), lastId(start));
    TurnResult result = turn.apply(input(item, start));
    parts.signals().turnComputed(item, result);
    EventStamp stamp = parts.stamp().notBefore(execution.lastEventAt());
    TurnCommit commit = CommitPlan.of(start, result, lastRecorded, stamp, options.limits());
    Optional<PrunePlan.Prune> prune = pruner.forCommit(start);
    return new Planned(
        execution,
        result,
        commit.withPrune(prune.map(PrunePlan.Prune::options).orElse(null)),
        prune,
        runs);
  }

  /** An execution that has not run here. */
  static Execution fresh(Triage.Run run, EngineOptions engine) {
    TurnStart start = run.start();
    return new Execution(
        new ExecutionSetup(
            start.key(), start.started().name(), start.started().version(), run.code(), engine));
  }

  /** To be called once a turn is committed. */
  void committed(OrchestrationItem item, Planned planned, CommittedTurn turn) {
    planned.execution().stored();
    planned.prune().ifPresent(prune -> pruner.committed(item, prune, turn));
    warnOfDropped(item, planned);
    warnOfLength(item, planned);
  }

  private void warnOfDropped(OrchestrationItem item, Planned planned) {
    int unconsumed = planned.result().leftOver().messages().size();
    int most = options.limits().carriedMessages();
    if (unconsumed > most) {
      parts.signals().dropped(NodeEvent.DropReason.CARRY_LIMIT, unconsumed - most);
      warning(item)
          .log(
              "continued as new with {} unconsumed queue messages; the limit is {}, the newest {}"
                  + " are dropped",
              unconsumed,
              most,
              unconsumed - most);
    }
  }

  /** Once, when a history that goes on passes four fifths of its limit, or is simply long. */
  private void warnOfLength(OrchestrationItem item, Planned planned) {
    List<Event> added = planned.commit().historyDelta();
    if (!planned.goesOn() || added.isEmpty()) {
      return;
    }
    long limit = options.limits().historyEvents();
    long remarkable = limit == Integer.MAX_VALUE ? LONG_HISTORY : limit * 4 / 5;
    long before = added.getFirst().id() - 1;
    long after = added.getLast().id();
    if (before <= remarkable && after > remarkable) {
      warning(item).log("the history has {} events; continue as new now and then", after);
    }
  }

  private static LoggingEventBuilder warning(OrchestrationItem item) {
    return LOG.atWarn()
        .addKeyValue("instance_id", item.instance())
        .addKeyValue("execution_id", item.execution().executionId())
        .addKeyValue("orchestration_name", item.orchestrationName());
  }

  private static TurnInput input(OrchestrationItem item, TurnStart start) {
    List<Event> history = new ArrayList<>(start.history());
    Event first = start.firstEvent();
    if (first != null) {
      history.add(first);
    }
    return new TurnInput(
        history, start.history().size(), start.arrivals().messages(), values(item, start));
  }

  /** A parked execution has its values; any other one begins with those that are stored. */
  private static Map<String, KvEntry> values(OrchestrationItem item, TurnStart start) {
    if (start.parked() != null) {
      return Map.of();
    }
    if (item.history() instanceof StoredHistory.Whole whole) {
      return whole.values();
    }
    throw new IllegalStateException(start.key() + " cannot run from a part of its history");
  }

  private static long lastId(TurnStart start) {
    return start.history().stream().mapToLong(Event::id).max().orElse(0);
  }
}
