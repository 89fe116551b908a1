package io.duroxide.provider.sqlite;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into the queue, encoded before the writer sees it.
 *
 * @param fireAt when a timer fires; 0 for anything else
 * @param parent the parent of a child that starts
 * @param name the orchestration that a start begins
 * @param version of that orchestration
 */
record NewMessage(
    String instance,
    MessageKind kind,
    long fireAt,
    @Nullable String parent,
    @Nullable String name,
    @Nullable String version,
    String payload) {

  /** The item as a message for an orchestration; anything else is refused. */
  static NewMessage of(String operation, WorkItem item) {
    if (!(item instanceof WorkItem.ForOrchestrator message)) {
      throw Refusal.invalid(
          operation, item.instance() + ": an activity belongs into the worker queue, got " + item);
    }
    WorkItem.StartLike start = message instanceof WorkItem.StartLike begins ? begins : null;
    return new NewMessage(
        message.instance(),
        MessageKind.of(message),
        message instanceof WorkItem.TimerFired timer ? StoreTime.millis(timer.fireAt()) : 0,
        parentOf(message),
        start == null ? null : start.orchestration(),
        start == null ? null : start.version(),
        WorkItemCodec.encode(message));
  }

  /** The same as it is stored elsewhere, with fields that this release may not know. */
  NewMessage withPayload(String stored) {
    return new NewMessage(instance, kind, fireAt, parent, name, version, stored);
  }

  private static @Nullable String parentOf(WorkItem.ForOrchestrator item) {
    ParentLink parent = item instanceof WorkItem.StartOrchestration start ? start.parent() : null;
    return parent == null ? null : parent.instance();
  }
}
