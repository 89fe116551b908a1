package io.duroxide.provider;

/**
 * What waits in one queue.
 *
 * @param ready could be fetched now
 * @param delayed waits for its time, for the start of its instance, or for room in its mailbox
 * @param locked is being worked on, or rests after that
 */
public record QueueDepth(long ready, long delayed, long locked) {
  public static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);

  public long total() {
    return ready + delayed + locked;
  }
}
