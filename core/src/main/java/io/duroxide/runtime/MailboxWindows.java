package io.duroxide.runtime;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.QueueReads;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.QueueRoom;
import io.duroxide.replay.MailboxCount;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many unread messages of a queue an execution may have, and how much room that leaves. Pure: a
 * kept execution and a rebuilt one have the same room.
 *
 * <p>The window of a queue is twice what the execution, or the one before it, has read of it. While
 * more than half of the window is unread the queue is closed. Code that waits for more messages
 * than the window has, gets them.
 */
final class MailboxWindows {
  static final int SMALLEST = 8;
  static final int LARGEST = BatchBound.MESSAGES;

  private final boolean isFirst;
  private final Map<String, Integer> readBefore;

  /**
   * The windows of an execution.
   *
   * @param readBefore how many messages the execution before it read, by queue
   */
  MailboxWindows(long executionId, List<QueueReads> readBefore) {
    this.isFirst = executionId == ExecutionKey.FIRST;
    this.readBefore =
        readBefore.stream()
            .collect(Collectors.toMap(QueueReads::queue, QueueReads::messages, Math::max));
  }

  /** What the execution after the one of these counts is told; few reads make no difference. */
  static List<QueueReads> told(List<MailboxCount> counts) {
    return counts.stream()
        .filter(count -> 2 * count.read() > SMALLEST)
        .map(count -> new QueueReads(count.queue(), Math.min(count.read(), LARGEST / 2)))
        .sorted(Comparator.comparing(QueueReads::queue))
        .toList();
  }

  /** The rules while the execution stands like this. */
  MailboxRules rules(List<MailboxCount> counts) {
    Map<String, QueueRoom> rooms = new HashMap<>();
    readBefore.keySet().forEach(queue -> rooms.put(queue, QueueRoom.of(window(queue, 0))));
    counts.forEach(count -> rooms.put(count.queue(), room(count)));
    return new MailboxRules(QueueRoom.of(window("", 0)), rooms);
  }

  /** The rules of an execution that has not begun. */
  MailboxRules rulesBefore(List<CarriedEvent> carried) {
    Map<String, MailboxCount> counts = new HashMap<>();
    for (CarriedEvent message : carried) {
      MailboxCount one =
          new MailboxCount(message.queue(), 0, 1, BatchBound.bytesOf(message.data()), 0);
      counts.merge(message.queue(), one, MailboxWindows::sum);
    }
    return rules(List.copyOf(counts.values()));
  }

  private static MailboxCount sum(MailboxCount one, MailboxCount other) {
    return new MailboxCount(
        one.queue(), 0, one.unread() + other.unread(), one.unreadBytes() + other.unreadBytes(), 0);
  }

  private int window(String queue, int read) {
    int most = Math.max(read, readBefore.getOrDefault(queue, 0));
    int smallest = isFirst ? MailboxRules.FIRST_MESSAGES : SMALLEST;
    return Math.clamp(2L * most, smallest, LARGEST);
  }

  private QueueRoom room(MailboxCount count) {
    int window = window(count.queue(), count.read());
    long bytes = Math.max(0, QueueRoom.BYTES - count.unreadBytes());
    if (count.unread() < count.awaited()) {
      return new QueueRoom(Math.max(window, count.awaited()) - count.unread(), bytes);
    }
    boolean isHalfFree = 2 * count.unread() <= window && 2 * count.unreadBytes() <= QueueRoom.BYTES;
    return isHalfFree ? new QueueRoom(window - count.unread(), bytes) : QueueRoom.NONE;
  }
}
