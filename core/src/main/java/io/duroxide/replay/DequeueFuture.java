package io.duroxide.replay;

import org.jspecify.annotations.Nullable;

/** A dequeue: it has no completion of its own but takes a message when the code observes it. */
final class DequeueFuture extends OperationFuture {
  private @Nullable Mailbox mailbox;

  DequeueFuture(Conductor conductor, Action.DequeueEvent action, @Nullable Coroutine owner) {
    super(conductor, action, ScheduleKind.DEQUEUE, owner);
  }

  /** From now on it may observe messages of this mailbox. */
  void subscribe(Mailbox subscribed) {
    mailbox = subscribed;
  }

  @Override
  boolean ready() {
    Mailbox box = mailbox;
    return super.ready() || (box != null && box.hasMessageFor(this));
  }

  @Override
  long readySince() {
    Mailbox box = mailbox;
    return pending() && box != null
        ? Math.max(eventId(), box.messageFor(this).eventId())
        : super.readySince();
  }

  @Override
  String take() {
    Mailbox box = mailbox;
    if (pending() && box != null) {
      settleWith(box.takeFor(this));
    }
    return super.take();
  }

  @Override
  void abandon() {
    Mailbox box = mailbox;
    if (pending() && box != null) {
      box.withdraw(this);
    }
    super.abandon();
  }
}
