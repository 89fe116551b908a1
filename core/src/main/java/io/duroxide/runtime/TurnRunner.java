package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.OrchestrationItem;
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
import java.util.Optional;
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
  private final EngineOptions engine;
  private final Pruner pruner;

  TurnRunner(RuntimeParts parts) {
    this.parts = parts;
    this.options = parts.options();
    this.engine = parts.engine();
    this.pruner = new Pruner(parts);
  }

  /**
   * A turn that was computed and not yet committed.
   *
   * @param prune what its commit prunes, and why
   */
  record Planned(TurnResult result, TurnCommit commit, Optional<PrunePlan.Prune> prune) {
    /** Whether the execution goes on after this turn. */
    boolean goesOn() {
      return result.outcome() instanceof TurnOutcome.Continue;
    }
  }

  Planned run(OrchestrationItem item, Triage.Run run, Execution execution) {
    TurnStart start = run.start();
    long lastRecorded = Math.max(execution.lastEventId(), lastId(start));
    TurnResult result = execution.turn(input(item, start));
    parts.signals().turnComputed(item, result);
    TurnCommit commit = CommitPlan.of(start, result, lastRecorded, parts.stamp(), options.limits());
    Optional<PrunePlan.Prune> prune = pruner.forCommit(start);
    return new Planned(
        result, commit.withPrune(prune.map(PrunePlan.Prune::options).orElse(null)), prune);
  }

  /** An execution that has not run here. */
  Execution fresh(Triage.Run run) {
    TurnStart start = run.start();
    return new Execution(
        new ExecutionSetup(
            start.key(), start.started().name(), start.started().version(), run.code(), engine));
  }

  /** To be called once a turn is committed. */
  void committed(OrchestrationItem item, Planned planned, CommittedTurn turn) {
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
        history, start.history().size(), start.arrivals().messages(), item.kvSnapshot());
  }

  private static long lastId(TurnStart start) {
    return start.history().stream().mapToLong(Event::id).max().orElse(0);
  }
}
