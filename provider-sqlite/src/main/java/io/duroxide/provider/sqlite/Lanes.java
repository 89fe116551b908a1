package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The numbers of lanes; no number is used twice. Confined to the writer. */
final class Lanes {
  private static final int MAX_CACHED = 10_000;

  private final Tx tx;
  private final Sql sql;
  private final Map<Lane, Long> keys = new HashMap<>();
  private final Map<Long, Lane> lanes = new HashMap<>();

  Lanes(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
    tx.onStale(this::forget);
  }

  private void forget() {
    keys.clear();
    lanes.clear();
  }

  private static final String FIND =
      """
      SELECT key FROM duroxide_lane WHERE activity = ? AND tag IS ? AND session IS ?
      """;

  private static final String INSERT =
      """
      INSERT INTO duroxide_lane (key, activity, tag, session) VALUES (?, ?, ?, ?)
      """;

  long key(Lane lane) throws SQLException {
    Long known = keys.get(lane);
    if (known != null) {
      return known;
    }
    Long stored =
        sql.first(FIND, row -> row.getLong(1), lane.activity(), lane.tag(), lane.session());
    long key = stored == null ? tx.nextSeq() : stored;
    if (stored == null) {
      sql.update(INSERT, key, lane.activity(), lane.tag(), lane.session());
    }
    remember(key, lane);
    return key;
  }

  private static final String READ =
      """
      SELECT activity, tag, session FROM duroxide_lane WHERE key = ?
      """;

  Lane lane(long key) throws SQLException {
    Lane known = lanes.get(key);
    if (known != null) {
      return known;
    }
    Lane stored =
        sql.first(READ, row -> new Lane(row.getString(1), row.getString(2), row.getString(3)), key);
    if (stored == null) {
      throw new IllegalStateException("an activity stands in lane " + key + ", which is gone");
    }
    remember(key, stored);
    return stored;
  }

  private void remember(long key, Lane lane) {
    if (keys.size() >= MAX_CACHED) {
      forget();
    }
    keys.put(lane, key);
    lanes.put(key, lane);
  }

  private static final String SWEEP =
      """
      DELETE FROM duroxide_lane WHERE session IS NOT NULL AND key NOT IN (SELECT lane FROM duroxide_work)
      """;

  /** Removes the lanes of sessions for which nothing is queued. */
  void sweep() throws SQLException {
    if (sql.update(SWEEP) > 0) {
      forget();
    }
  }
}
