package io.duroxide.provider.sqlite;

/**
 * The messages that one fetch delivered: those that were visible at an instant and had arrived by a
 * number.
 *
 * <p>They are not marked in their table, and taking the lock does not count the attempt on them;
 * that is done when the lock is given up, because most batches are consumed before anyone asks.
 *
 * @param instance the number of the instance
 */
record Batch(long instance, long at, long seq) {
  boolean holds(Place message) {
    return message.at() <= at && message.seq() <= seq;
  }
}
