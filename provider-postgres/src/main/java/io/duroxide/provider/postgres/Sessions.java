package io.duroxide.provider.postgres;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** Upkeep of session leases. Thread-safe. */
final class Sessions {
  private final Store store;

  Sessions(Store store) {
    this.store = store;
  }

  private static final String RENEW =
      """
      UPDATE @.session s SET locked_until = c.now + ?
      FROM (SELECT @.store_now(?) AS now) c
      WHERE s.owner = ANY (?) AND s.locked_until > c.now AND s.used_at > c.now - ?
      """;

  /** Extends the leases of owners that are valid and not idle; returns how many. */
  int renew(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    if (owners.isEmpty()) {
      return 0;
    }
    return store.read(
        "renewSessionLock",
        sql ->
            sql.update(
                RENEW,
                Millis.of(extendFor),
                store.clock().given(),
                Set.copyOf(owners),
                Millis.of(idleTimeout)));
  }

  private static final String CLEAN_UP =
      """
      DELETE FROM @.session s USING (SELECT @.store_now(?) AS now) c
      WHERE s.locked_until < c.now
        AND s.id NOT IN (SELECT w.session FROM @.work w WHERE w.session IS NOT NULL)
      """;

  /** Removes leases that ended and that no queued activity refers to; returns how many. */
  int cleanUp() {
    return store.read(
        "cleanupOrphanedSessions", sql -> sql.update(CLEAN_UP, store.clock().given()));
  }
}
