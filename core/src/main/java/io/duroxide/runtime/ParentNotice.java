package io.duroxide.runtime;

import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/** What a parent is told when its child ends. */
final class ParentNotice {
  private ParentNotice() {}

  /** The notice, or null if the child goes on as a new execution. */
  static @Nullable WorkItem of(ParentLink parent, EventKind.Terminal terminal) {
    return switch (terminal) {
      case EventKind.OrchestrationCompleted e ->
          new WorkItem.SubOrchCompleted(
              parent.instance(), parent.executionId(), parent.scheduleId(), e.output());
      case EventKind.OrchestrationFailed e ->
          new WorkItem.SubOrchFailed(
              parent.instance(), parent.executionId(), parent.scheduleId(), e.details());
      case EventKind.OrchestrationContinuedAsNew ignored -> null;
    };
  }
}
