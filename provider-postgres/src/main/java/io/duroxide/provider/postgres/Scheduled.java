package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.util.Optional;

/** What events say that ask for activities. */
final class Scheduled {
  private Scheduled() {}

  /** The activity that an event of this orchestration asks for, as it is queued. */
  static Optional<WorkItem.ActivityExecute> in(Event event, String orchestration, String version) {
    if (!(event.kind() instanceof EventKind.ActivityScheduled scheduled)) {
      return Optional.empty();
    }
    return Optional.of(
        new WorkItem.ActivityExecute(
            new ActivityKey(
                event.execution().instance(), event.execution().executionId(), event.id()),
            scheduled.name(),
            scheduled.input(),
            new ActivityRouting(scheduled.sessionId(), scheduled.tag()),
            new ActivityOrigin(orchestration, version, event.stamp().at())));
  }
}
