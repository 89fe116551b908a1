package io.duroxide.replay;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.EventKind;
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
   * @param bytes its payload
   */
  record Message(long eventId, CarriedEvent content, long bytes) {
    static Message of(long eventId, EventKind.QueueEventDelivered event) {
      return new Message(
          eventId,
          new CarriedEvent(event.name(), event.data()),
          PayloadSize.EXACT.size(event.data()));
    }
  }

  private final ArrayDeque<Message> messages = new ArrayDeque<>(2);
  private final List<DequeueFuture> open = new ArrayList<>(1);
  private final LongConsumer observed;
  private int read;
  private long unreadBytes;

  /** Told the schedule id of each dequeue that consumed a message. */
  interface LongConsumer {
    void accept(long scheduleId);
  }

  Mailbox(LongConsumer observed) {
    this.observed = observed;
  }

  void deliver(Message message) {
    messages.add(message);
    unreadBytes += message.bytes();
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

  /** What a dequeue would take now. Only when it has a message. */
  Message messageFor(DequeueFuture dequeue) {
    return at(open.indexOf(dequeue)).next();
  }

  String takeFor(DequeueFuture dequeue) {
    int position = open.indexOf(dequeue);
    open.remove(position);
    Iterator<Message> each = at(position);
    Message message = each.next();
    each.remove();
    read++;
    unreadBytes -= message.bytes();
    observed.accept(dequeue.eventId());
    return message.content().data();
  }

  private Iterator<Message> at(int position) {
    Iterator<Message> each = messages.iterator();
    for (int i = 0; i < position; i++) {
      each.next();
    }
    return each;
  }

  void withdraw(DequeueFuture dequeue) {
    int position = open.indexOf(dequeue);
    open.remove(position);
    if (position < messages.size() && messages.size() <= open.size()) {
      open.get(messages.size() - 1).notifyWaiters();
    }
  }

  MailboxCount count(String queue) {
    return new MailboxCount(queue, read, messages.size(), unreadBytes, open.size());
  }

  /** What nobody consumed, oldest first. */
  List<Message> unconsumed() {
    return List.copyOf(messages);
  }
}
