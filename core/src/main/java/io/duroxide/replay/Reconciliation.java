package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what the code gave up with what history says it gave up, and records what is new. */
final class Reconciliation {
  private static final Comparator<OperationFuture> BY_KIND_THEN_ID =
      Comparator.comparingInt(Reconciliation::rank).thenComparingLong(OperationFuture::eventId);

  private final Ledger ledger;
  private final Nondeterminism words;
  private final List<OperationFuture> abandoned;

  Reconciliation(Ledger ledger, Nondeterminism words, List<OperationFuture> abandoned) {
    this.ledger = ledger;
    this.words = words;
    this.abandoned = abandoned.stream().sorted(BY_KIND_THEN_ID).toList();
  }

  private static int rank(OperationFuture future) {
    return switch (future.kind()) {
      case ACTIVITY -> 0;
      case CHILD -> 1;
      case WAIT -> 2;
      case DEQUEUE -> 3;
      case TIMER -> 4;
      case PRUNE -> 5;
    };
  }

  /** A recorded abandonment that the code did not repeat, or null. */
  @Nullable ErrorDetails mismatch(List<Event> history) {
    Set<Long> repeated = new HashSet<>();
    abandoned.forEach(future -> repeated.add(future.eventId()));
    for (Event event : history) {
      Long source = event.source();
      if (event.kind() instanceof EventKind.Decision decision
          && decision.reason().equals(Reasons.DROPPED_FUTURE)
          && source != null
          && !repeated.contains(source)) {
        return words.cancellationNotRepeated(ScheduleKind.of(decision), source);
      }
    }
    return null;
  }

  /** Records the abandonments that history does not have yet; returns what must be stopped. */
  Abandoned record(Recording recording) {
    List<Long> activities = new ArrayList<>();
    List<ChildRef> children = new ArrayList<>();
    List<Long> timers = new ArrayList<>();
    for (OperationFuture future : abandoned) {
      long id = future.eventId();
      if (future.kind() == ScheduleKind.TIMER && future.isNewlyAbandoned()) {
        timers.add(id);
      }
      if (isSilent(future.kind()) || ledger.isDecided(id)) {
        continue;
      }
      recording.add(id, decision(future.kind()));
      switch (future.kind()) {
        case ACTIVITY -> activities.add(id);
        case CHILD -> children.add(Walk.childRef(id, future));
        case WAIT, DEQUEUE, TIMER, PRUNE -> {}
      }
    }
    return new Abandoned(activities, children, timers);
  }

  /** Nothing is recorded. */
  private static boolean isSilent(ScheduleKind kind) {
    return kind == ScheduleKind.TIMER || kind == ScheduleKind.PRUNE;
  }

  private static EventKind.Decision decision(ScheduleKind kind) {
    return switch (kind) {
      case ACTIVITY -> new EventKind.ActivityCancelRequested(Reasons.DROPPED_FUTURE);
      case CHILD -> new EventKind.SubOrchestrationCancelRequested(Reasons.DROPPED_FUTURE);
      case WAIT -> new EventKind.ExternalSubscribedCancelled(Reasons.DROPPED_FUTURE);
      case DEQUEUE -> new EventKind.QueueSubscriptionCancelled(Reasons.DROPPED_FUTURE);
      case TIMER, PRUNE ->
          throw new IllegalArgumentException("a " + kind.label() + " is given up without a record");
    };
  }
}
