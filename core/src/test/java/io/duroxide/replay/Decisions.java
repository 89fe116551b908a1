package io.duroxide.replay;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;

/** Recorded decisions of {@code order-7/1}: what was given up, and that it shall end. */
final class Decisions {
  static final String DROPPED = Reasons.DROPPED_FUTURE;

  private Decisions() {}

  static Event activityDropped(long id, long source) {
    return activityCancelled(id, source, DROPPED);
  }

  static Event activityCancelled(long id, long source, String reason) {
    return Facts.event(id, source, new EventKind.ActivityCancelRequested(reason));
  }

  static Event childDropped(long id, long source) {
    return Facts.event(id, source, new EventKind.SubOrchestrationCancelRequested(DROPPED));
  }

  static Event waitDropped(long id, long source) {
    return Facts.event(id, source, new EventKind.ExternalSubscribedCancelled(DROPPED));
  }

  static Event dequeueDropped(long id, long source) {
    return Facts.event(id, source, new EventKind.QueueSubscriptionCancelled(DROPPED));
  }

  static Event cancelRequested(long id, String reason) {
    return Facts.event(id, new EventKind.OrchestrationCancelRequested(reason));
  }
}
