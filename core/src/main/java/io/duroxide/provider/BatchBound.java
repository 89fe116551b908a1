package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * How much one fetch delivers; for stores.
 *
 * <p>A batch is the longest beginning of the visible messages, in the order of {@link
 * DeliveryOrder}, that has at most {@link #MESSAGES} messages with {@link #BYTES} bytes of stored
 * text; at least one message. Beyond these bounds it holds every visible message that begins or
 * ends an execution ({@link #isAlwaysDelivered}): messages before a start would otherwise be
 * messages for nobody, and a cancel would wait behind them. What is left out stays in the queue.
 */
public final class BatchBound {
  /** How many messages a batch has at most. */
  public static final int MESSAGES = 1024;

  /** How many bytes of stored text the messages of a batch have at most. */
  public static final long BYTES = 4 << 20;

  /** How many bytes of messages one fetch of several instances returns at most. */
  public static final long FETCH_BYTES = 16 << 20;

  private BatchBound() {}

  /** Whether a message is part of every batch. */
  public static boolean isAlwaysDelivered(WorkItem item) {
    return item instanceof WorkItem.StartLike || item instanceof WorkItem.CancelInstance;
  }

  /**
   * What of the visible messages is delivered.
   *
   * @param visible in the order of delivery
   * @param bytes the size of a message's stored text
   */
  public static <T> List<T> cut(
      List<T> visible, ToLongFunction<? super T> bytes, Predicate<? super T> isAlwaysDelivered) {
    List<T> batch = new ArrayList<>(Math.min(visible.size(), MESSAGES));
    long sum = 0;
    boolean isFull = false;
    for (T message : visible) {
      sum += bytes.applyAsLong(message);
      isFull = isFull || (!batch.isEmpty() && (batch.size() >= MESSAGES || sum > BYTES));
      if (!isFull || isAlwaysDelivered.test(message)) {
        batch.add(message);
      }
    }
    return batch.size() == visible.size() ? visible : batch;
  }

  /** The bytes of a text as UTF-8. */
  public static long bytesOf(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
