package io.duroxide.provider.sqlite;

/**
 * A message of a batch, not yet decoded.
 *
 * @param attempts how often it was fetched, not counting a lock that is not given up yet
 */
record StoredMessage(Place place, MessageKind kind, int attempts, String payload) {}
