package io.duroxide.replay;

import io.duroxide.model.CarriedEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * One queue of an execution: messages nobody consumed in history order, and open dequeues in
 * binding order. The k-th dequeue may observe the k-th message; observing removes both, giving up a
 * dequeue removes only the dequeue.
 */
final class Mailbox {
  /**
   * A message and where it stands.
   *
   * @param eventId where it stands in history
   */
  record Message(long eventId, CarriedEvent content) {}

  private final ArrayDeque<Message> messages = new ArrayDeque<>(2);
  private final List<DequeueFuture> open = new ArrayList<>(1);
  private final LongConsumer observed;

  /** Told the schedule id of each dequeue that consumed a message. */
  interface LongConsumer {
    void accept(long scheduleId);
  }

  Mailbox(LongConsumer observed) {
    this.observed = observed;
  }

  void deliver(Message message) {
    messages.add(message);
    if (messages.size() <= open.size()) {
      open.get(messages.size() - 1).notifyWaiters();
    }
  }

  void subscribe(DequeueFuture dequeue) {
    dequeue.subscribe(this);
    open.add(dequeue);
    if (open.size() <= messages.size()) {
      dequeue.notifyWaiters();
    }
  }

  boolean hasMessageFor(DequeueFuture dequeue) {
    int position = open.indexOf(dequeue);
    return position >= 0 && position < messages.size();
  }

  String takeFor(DequeueFuture dequeue) {
    int position = open.indexOf(dequeue);
    open.remove(position);
    Iterator<Message> each = messages.iterator();
    for (int i = 0; i < position; i++) {
      each.next();
    }
    Message message = each.next();
    each.remove();
    observed.accept(dequeue.eventId());
    return message.content().data();
  }

  void withdraw(DequeueFuture dequeue) {
    int position = open.indexOf(dequeue);
    open.remove(position);
    if (position < messages.size() && messages.size() <= open.size()) {
      open.get(messages.size() - 1).notifyWaiters();
    }
  }

  /** What nobody consumed, oldest first. */
  List<Message> unconsumed() {
    return List.copyOf(messages);
  }
}
