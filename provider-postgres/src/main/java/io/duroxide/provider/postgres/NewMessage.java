package io.duroxide.provider.postgres;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TextChecks;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into the queue, encoded before a lane sees it.
 *
 * @param fireAt when a timer fires; 0 for anything else
 * @param parent of a child that it starts or cancels
 * @param name the orchestration that a start begins; of a timer see {@link #timerName}; of a queue
 *     message its queue
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
  static final int TIMER = 4;
  private static final int CANCEL = 5;

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
        kind(message),
        message instanceof WorkItem.TimerFired timer ? Millis.of(timer.fireAt()) : 0,
        parentOf(message),
        nameOf(message),
        start == null ? null : start.version(),
        WorkItemCodec.encode(message));
  }

  /** The same as it is stored elsewhere, with fields that this release may not know. */
  NewMessage withPayload(String stored) {
    return new NewMessage(instance, kind, fireAt, parent, name, version, stored);
  }

  /**
   * Writes the row {@code new_message}.
   *
   * @param delay null for one that a commit sends
   */
  void write(RowText row, @Nullable Long delay) {
    row.text("instance", instance)
        .integer("kind", kind)
        .number("delay", delay)
        .number("fire_at", fireAt)
        .text("parent", parent)
        .text("name", name)
        .text("version", version)
        .text("payload", payload);
  }

  /** Whether it begins an execution. */
  boolean isStart() {
    return isStart(kind);
  }

  static boolean isStart(int kind) {
    return kind == START || kind == CONTINUE;
  }

  /** Whether it waits for a start where there is none. */
  boolean isPlain() {
    return kind == OTHER || kind == TIMER || kind == CANCEL;
  }

  /** How a timer is named in its row. */
  static String timerName(long execution, long event) {
    return execution + "/" + event;
  }

  private static @Nullable String nameOf(WorkItem.ForOrchestrator item) {
    return switch (item) {
      case WorkItem.StartLike start -> start.orchestration();
      case WorkItem.TimerFired timer -> timerName(timer.executionId(), timer.id());
      case WorkItem.QueueMessage message -> message.name();
      default -> null;
    };
  }

  private static int kind(WorkItem.ForOrchestrator item) {
    return switch (item) {
      case WorkItem.StartOrchestration start -> START;
      case WorkItem.ContinueAsNew next -> CONTINUE;
      case WorkItem.QueueMessage queued -> QUEUE;
      case WorkItem.TimerFired timer -> TIMER;
      case WorkItem.Outcome outcome -> OTHER;
      case WorkItem.ExternalRaised raised -> OTHER;
      case WorkItem.CancelInstance cancel -> CANCEL;
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

  /** Says when it can be fetched. */
  void announce(Wakes turns, long visibleAt, long now) {
    if (visibleAt > now) {
      turns.later(visibleAt);
    } else {
      turns.ready(1);
    }
  }
}
