package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Messages that wait for a start that never came. Thread-safe. */
final class Orphans {
  private static final long RECEIPTS_KEPT = Duration.ofHours(1).toMillis();

  private final Store store;

  Orphans(Store store) {
    this.store = store;
  }

  int purge(Duration olderThan) {
    return store.change("purgeOrphanMessages", sql -> purge(sql, Millis.of(olderThan)));
  }

  private static final String STRAYS =
      """
      SELECT i.key FROM @.instance i
      WHERE i.stage = 0
        AND EXISTS (
          SELECT FROM @.message m WHERE m.instance = i.key AND m.created_at < @.store_now(?) - ?)
        AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = i.key AND m.kind IN (2, 3))
      ORDER BY i.key FOR UPDATE SKIP LOCKED
      """;

  private static final String DELETE =
      """
      DELETE FROM @.message m
      WHERE m.instance = ANY (?) AND m.created_at < @.store_now(?) - ?
        AND NOT EXISTS (SELECT FROM @.message s WHERE s.instance = m.instance AND s.kind IN (2, 3))
      """;

  private static final String UNPARK =
      """
      UPDATE @.message m SET parked = false
      WHERE m.instance = ANY (?) AND m.visible_at < @.far() AND m.parked
        AND NOT EXISTS (SELECT FROM @.message s WHERE s.instance = m.instance AND s.kind <> 1)
      """;

  private static final String DELETE_INSTANCES =
      """
      DELETE FROM @.instance i
      WHERE i.key = ANY (?) AND i.stage = 0
        AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = i.key)
        AND NOT EXISTS (SELECT FROM @.work w WHERE w.instance = i.key)
      """;

  private static final String DELETE_RECEIPTS =
      """
      DELETE FROM @.receipt WHERE created_at < @.store_now(?) - ?
      """;

  /**
   * Locked first, so that no start comes in between. Where only queue messages are left, the next
   * fetch drops them.
   */
  private int purge(Sql sql, long age) throws SQLException {
    Long now = store.clock().given();
    List<Long> found = sql.list(STRAYS, row -> row.getLong(1), now, age);
    long[] keys = found.stream().mapToLong(key -> key).toArray();
    int purged = sql.update(DELETE, keys, now, age);
    sql.update(UNPARK, keys);
    sql.update(DELETE_INSTANCES, keys);
    sql.update(DELETE_RECEIPTS, now, RECEIPTS_KEPT);
    return purged;
  }
}
