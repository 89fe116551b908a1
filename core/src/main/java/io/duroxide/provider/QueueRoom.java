package io.duroxide.provider;

/**
 * How much of one mailbox queue may be delivered until the next commit: the longest beginning of
 * what is visible with so many messages and bytes, and at least one message unless there is room
 * for none.
 *
 * @param messages how many; 0 closes the queue
 * @param bytes of stored text
 */
public record QueueRoom(int messages, long bytes) {
  /** How many bytes of unread messages of one queue an execution has at most. */
  public static final long BYTES = 4 << 20;

  /** Whatever there is. */
  public static final QueueRoom ANY = new QueueRoom(Integer.MAX_VALUE, Long.MAX_VALUE);

  /** Nothing. */
  public static final QueueRoom NONE = new QueueRoom(0, 0);

  public QueueRoom {
    if (messages < 0 || bytes < 0) {
      throw new IllegalArgumentException("room is not negative: " + messages + ", " + bytes);
    }
    bytes = messages == 0 ? 0 : bytes;
  }

  /** Room for so many messages of ordinary size. */
  public static QueueRoom of(int messages) {
    return new QueueRoom(messages, BYTES);
  }

  public boolean isClosed() {
    return messages == 0;
  }

  /**
   * Whether one more message may be delivered.
   *
   * @param count how many are delivered already
   * @param sum their bytes and those of the message
   */
  public boolean takes(int count, long sum) {
    return count < messages && (count == 0 || sum <= bytes);
  }
}
