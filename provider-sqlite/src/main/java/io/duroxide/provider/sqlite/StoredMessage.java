package io.duroxide.provider.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * A message of a batch, not yet decoded.
 *
 * @param attempts how often it was fetched, not counting a lock that is not given up yet
 * @param name the orchestration that a start begins
 * @param version of that orchestration
 */
record StoredMessage(
    Place place,
    MessageKind kind,
    int attempts,
    @Nullable String name,
    @Nullable String version,
    String payload) {}
