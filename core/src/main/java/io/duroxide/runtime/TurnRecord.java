package io.duroxide.runtime;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.Initiator;
import io.duroxide.telemetry.TurnEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a commit says to those who measure. Pure.
 *
 * @param item what was fetched
 * @param commit what was stored
 */
record TurnRecord(OrchestrationItem item, TurnCommit commit) {

  ExecutionKey key() {
    return new ExecutionKey(item.instance(), commit.executionId());
  }

  List<Event> delta() {
    return commit.historyDelta();
  }

  /** The first event of the execution, if this is its first turn. */
  @Nullable Event first() {
    return !delta().isEmpty() && delta().getFirst().kind() instanceof EventKind.OrchestrationStarted
        ? delta().getFirst()
        : null;
  }

  /** The last event of the execution, if this is its last turn. */
  @Nullable Event last() {
    return !delta().isEmpty() && delta().getLast().kind() instanceof EventKind.Terminal
        ? delta().getLast()
        : null;
  }

  static Ending ending(EventKind.Terminal terminal) {
    return switch (terminal) {
      case EventKind.OrchestrationCompleted ignored -> Ending.COMPLETED;
      case EventKind.OrchestrationContinuedAsNew ignored -> Ending.CONTINUED_AS_NEW;
      case EventKind.OrchestrationFailed f ->
          isCancelled(f.details()) ? Ending.CANCELLED : Ending.FAILED;
    };
  }

  private static boolean isCancelled(ErrorDetails details) {
    return details instanceof ErrorDetails.Application application
        && application.kind() instanceof ApplicationErrorKind.Cancelled;
  }

  /** Why it failed; null if it did not. */
  static @Nullable Failure failure(EventKind.Terminal terminal, boolean overLimit) {
    if (!(terminal instanceof EventKind.OrchestrationFailed failed)) {
      return null;
    }
    return overLimit ? Failure.limit(failed.details()) : Failure.of(failed.details());
  }

  Initiator initiator() {
    if (!isSameExecution()) {
      return Initiator.CONTINUE_AS_NEW;
    }
    for (WorkItem message : item.messages().items()) {
      if (message instanceof WorkItem.StartOrchestration start) {
        return start.parent() == null ? root(start) : Initiator.PARENT;
      }
    }
    return Initiator.CLIENT;
  }

  private static Initiator root(WorkItem.StartOrchestration start) {
    return start.detached() ? Initiator.DETACHED : Initiator.CLIENT;
  }

  int childCalls() {
    int calls = 0;
    for (WorkItem message : commit.orchestratorItems()) {
      if (message instanceof WorkItem.StartOrchestration start && start.parent() != null) {
        calls++;
      }
    }
    return calls;
  }

  TurnEnd end() {
    Event last = last();
    if (last != null) {
      return switch (ending((EventKind.Terminal) last.kind())) {
        case COMPLETED -> TurnEnd.COMPLETED;
        case FAILED -> TurnEnd.FAILED;
        case CANCELLED -> TurnEnd.CANCELLED;
        case CONTINUED_AS_NEW -> TurnEnd.CONTINUED_AS_NEW;
      };
    }
    return delta().isEmpty() && (neverStarted() || hadEnded()) ? TurnEnd.DRAINED : TurnEnd.WAITING;
  }

  boolean neverStarted() {
    return !isRest() && item.history().events().isEmpty();
  }

  private boolean isRest() {
    return item.history() instanceof StoredHistory.Rest;
  }

  private boolean hadEnded() {
    List<Event> history = item.history().events();
    return !history.isEmpty() && history.getLast().kind() instanceof EventKind.Terminal;
  }

  /** Whether the turn went on with the execution that was fetched. */
  private boolean isSameExecution() {
    return item.execution().executionId() == commit.executionId();
  }

  ExecutionEvent.TurnWork work(Instant now) {
    boolean ran = isSameExecution() && end() != TurnEnd.DRAINED;
    return new ExecutionEvent.TurnWork(
        item.messages().items().size(),
        ran ? item.history().events().size() : 0,
        delta().size(),
        ran && isRest(),
        overdue(now));
  }

  private @Nullable Duration overdue(Instant now) {
    Instant earliest = null;
    for (WorkItem message : item.messages().items()) {
      if (message instanceof WorkItem.TimerFired timer
          && (earliest == null || timer.fireAt().isBefore(earliest))) {
        earliest = timer.fireAt();
      }
    }
    if (earliest == null) {
      return null;
    }
    Duration overdue = Duration.between(earliest, now);
    return overdue.isNegative() ? Duration.ZERO : overdue;
  }

  /** How many messages of the batch left no trace. */
  int dropped() {
    int given = 0;
    for (WorkItem message : item.messages().items()) {
      given += message instanceof WorkItem.StartLike ? 0 : 1;
    }
    Event first = first();
    if (first != null && first.kind() instanceof EventKind.OrchestrationStarted started) {
      given += started.inheritance().messages().size();
    }
    return Math.max(0, given - recordedMessages());
  }

  /** What the turn asked for and answered by itself did not come from a message. */
  private int recordedMessages() {
    int recorded = 0;
    for (Event event : delta()) {
      Long source = event.source();
      boolean fromMessage =
          switch (event.kind()) {
            case EventKind.Completion ignored -> source != null && source < delta().getFirst().id();
            case EventKind.Arrival ignored -> true;
            case EventKind.OrchestrationCancelRequested ignored -> true;
            default -> false;
          };
      recorded += fromMessage ? 1 : 0;
    }
    return recorded;
  }
}
