package io.duroxide.provider.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * A message of a batch, not yet decoded.
 *
 * @param attempts how often it was fetched, not counting a lock that is not given up yet
 * @param announced what it begins, if it is a start
 */
record StoredMessage(
    Place place, MessageKind kind, int attempts, @Nullable Announced announced, String payload) {

  /** A message that was stored just now. */
  static StoredMessage of(NewMessage message, Place place) {
    String name = message.name();
    return new StoredMessage(
        place,
        message.kind(),
        0,
        name == null ? null : new Announced(name, message.version()),
        message.payload());
  }

  /**
   * The orchestration that a start begins.
   *
   * @param version null when a policy shall choose it
   */
  record Announced(String name, @Nullable String version) {}
}
