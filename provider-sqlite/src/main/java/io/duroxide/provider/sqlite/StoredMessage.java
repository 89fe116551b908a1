package io.duroxide.provider.sqlite;

import io.duroxide.provider.BatchBound;
import io.duroxide.provider.DeliveryOrder;
import org.jspecify.annotations.Nullable;

/**
 * A message of a batch, not yet decoded.
 *
 * @param attempts how often it was fetched, not counting a lock that is not given up yet
 * @param announced what it begins, if it is a start
 * @param queue the mailbox it is for; null if it is for none
 * @param bytes the size of its payload as UTF-8
 * @param payload empty while it is not decided whether the message is delivered
 */
record StoredMessage(
    Place place,
    MessageKind kind,
    int attempts,
    @Nullable Announced announced,
    @Nullable String queue,
    long bytes,
    String payload) {

  StoredMessage withPayload(String text) {
    return new StoredMessage(place, kind, attempts, announced, queue, bytes, text);
  }

  boolean isAlwaysDelivered() {
    return kind.isAlwaysDelivered();
  }

  DeliveryOrder.Place deliveryPlace() {
    return new DeliveryOrder.Place(place.at(), kind == MessageKind.TIMER, place.seq());
  }

  /** A message that was stored just now. */
  static StoredMessage of(NewMessage message, Place place) {
    String name = message.kind().isStart() ? message.name() : null;
    return new StoredMessage(
        place,
        message.kind(),
        0,
        name == null ? null : new Announced(name, message.version()),
        message.queue(),
        BatchBound.bytesOf(message.payload()),
        message.payload());
  }

  /**
   * The orchestration that a start begins.
   *
   * @param version null when a policy shall choose it
   */
  record Announced(String name, @Nullable String version) {}
}
