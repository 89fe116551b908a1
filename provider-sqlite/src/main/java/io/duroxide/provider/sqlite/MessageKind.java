package io.duroxide.provider.sqlite;

import io.duroxide.model.WorkItem;

/** What the queue has to know of a message without decoding it. */
enum MessageKind {
  OTHER(0),
  /** Dropped when nobody is there to receive it. */
  QUEUE(1),
  /** Begins an instance. */
  START(2),
  /** Begins an execution. */
  CONTINUE(3),
  /** Is delivered by its fire time. */
  TIMER(4),
  /** Asks an instance to stop. */
  CANCEL(5);

  private final int stored;

  MessageKind(int stored) {
    this.stored = stored;
  }

  /** The number in the table. */
  int stored() {
    return stored;
  }

  static MessageKind of(WorkItem.ForOrchestrator item) {
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

  boolean isStart() {
    return this == START || this == CONTINUE;
  }

  /** Whether it is part of every batch. */
  boolean isAlwaysDelivered() {
    return isStart() || this == CANCEL;
  }

  /** Whether it waits for a start where there is none. */
  boolean needsStart() {
    return this == OTHER || this == TIMER || this == CANCEL;
  }

  static MessageKind ofStored(int number) {
    for (MessageKind kind : values()) {
      if (kind.stored == number) {
        return kind;
      }
    }
    return OTHER;
  }
}
