package io.duroxide.provider.sqlite;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TextChecks;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into the queue, encoded before the writer sees it.
 *
 * @param fireAt when a timer fires; 0 for anything else
 * @param parent of a child that it starts or cancels
 * @param name the orchestration that a start begins; of a timer its {@link TimerName}; of a queue
 *     message its queue
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
    TextChecks.check(operation, message);
    WorkItem.StartLike start = message instanceof WorkItem.StartLike begins ? begins : null;
    return new NewMessage(
        message.instance(),
        MessageKind.of(message),
        message instanceof WorkItem.TimerFired timer ? StoreTime.millis(timer.fireAt()) : 0,
        parentOf(message),
        nameOf(message),
        start == null ? null : start.version(),
        WorkItemCodec.encode(message));
  }

  /** The same as it is stored elsewhere, with fields that this release may not know. */
  NewMessage withPayload(String stored) {
    return new NewMessage(instance, kind, fireAt, parent, name, version, stored);
  }

  /** The mailbox it is for; null if it is for none. */
  @Nullable String queue() {
    return kind == MessageKind.QUEUE ? name : null;
  }

  private static @Nullable String nameOf(WorkItem.ForOrchestrator item) {
    return switch (item) {
      case WorkItem.StartLike start -> start.orchestration();
      case WorkItem.TimerFired timer -> TimerName.of(timer.executionId(), timer.id());
      case WorkItem.QueueMessage message -> message.name();
      default -> null;
    };
  }

  private static @Nullable String parentOf(WorkItem.ForOrchestrator item) {
    ParentLink parent =
        switch (item) {
          case WorkItem.StartOrchestration start -> start.parent();
          case WorkItem.CancelInstance cancel -> cancel.parent();
          default -> null;
        };
    return parent == null ? null : parent.instance();
  }
}
