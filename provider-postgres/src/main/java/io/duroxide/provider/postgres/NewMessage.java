package io.duroxide.provider.postgres;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into the queue, encoded before a lane sees it.
 *
 * @param fireAt when a timer fires; 0 for anything else
 * @param parent the parent of a child that starts
 * @param name the orchestration that a start begins
 * @param version of that orchestration
 */
record NewMessage(
    String instance,
    int kind,
    long fireAt,
    @Nullable String parent,
    @Nullable String name,
    @Nullable String version,
    String payload) {
  private static final int OTHER = 0;
  private static final int QUEUE = 1;
  static final int START = 2;
  private static final int CONTINUE = 3;

  /** The item as a message for an orchestration; anything else is refused. */
  static NewMessage of(String operation, WorkItem item) {
    if (!(item instanceof WorkItem.ForOrchestrator message)) {
      throw Refusal.invalid(
          operation, item.instance() + ": an activity belongs into the worker queue, got " + item);
    }
    WorkItem.StartLike start = message instanceof WorkItem.StartLike begins ? begins : null;
    return new NewMessage(
        message.instance(),
        kind(message),
        message instanceof WorkItem.TimerFired timer ? Millis.of(timer.fireAt()) : 0,
        parentOf(message),
        start == null ? null : start.orchestration(),
        start == null ? null : start.version(),
        WorkItemCodec.encode(message));
  }

  /** The same as it is stored elsewhere, with fields that this release may not know. */
  NewMessage withPayload(String stored) {
    return new NewMessage(instance, kind, fireAt, parent, name, version, stored);
  }

  /** Whether it begins an execution. */
  boolean isStart() {
    return kind >= START;
  }

  /** Whether it waits for a start where there is none. */
  boolean isPlain() {
    return kind == OTHER;
  }

  private static int kind(WorkItem.ForOrchestrator item) {
    return switch (item) {
      case WorkItem.StartOrchestration start -> START;
      case WorkItem.ContinueAsNew next -> CONTINUE;
      case WorkItem.QueueMessage queued -> QUEUE;
      case WorkItem.Outcome outcome -> OTHER;
      case WorkItem.ExternalRaised raised -> OTHER;
      case WorkItem.CancelInstance cancel -> OTHER;
    };
  }

  private static @Nullable String parentOf(WorkItem.ForOrchestrator item) {
    ParentLink parent = item instanceof WorkItem.StartOrchestration start ? start.parent() : null;
    return parent == null ? null : parent.instance();
  }

  /** Says when it can be fetched. */
  void announce(Wakes turns, long visibleAt, long now) {
    if (visibleAt > now) {
      turns.later(visibleAt);
    } else {
      turns.ready(1);
    }
  }
}
