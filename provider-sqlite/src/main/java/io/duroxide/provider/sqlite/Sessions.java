package io.duroxide.provider.sqlite;

import io.duroxide.provider.SessionFetchConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of session leases. Confined to the writer. */
final class Sessions {
  private final Tx tx;
  private final Sql sql;

  Sessions(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
  }

  /** A lease that routes the activities of a session to one owner. */
  record Lease(String owner, long until) {}

  private static final String FIND =
      """
      SELECT owner, locked_until FROM duroxide_session WHERE id = ? AND locked_until > ?
      """;

  /** The valid lease of a session, or null. */
  @Nullable Lease lease(String id) throws SQLException {
    return sql.first(FIND, row -> new Lease(row.getString(1), row.getLong(2)), id, tx.now());
  }

  private static final String CLAIM =
      """
      INSERT OR REPLACE INTO duroxide_session (id, owner, locked_until, used_at) VALUES (?, ?, ?, ?)
      """;

  /** Claims or refreshes a session that nobody else owns. */
  void claim(String id, SessionFetchConfig config) throws SQLException {
    long until = StoreTime.after(tx.now(), config.lockTimeout());
    sql.update(CLAIM, id, config.ownerId(), until, tx.now());
    tx.work().later(until);
  }

  private static final String TOUCH =
      """
      UPDATE duroxide_session SET used_at = ?1 WHERE id = ?2 AND locked_until > ?1
      """;

  /** Work of the session went on; this affects idleness alone. */
  void touch(@Nullable String id) throws SQLException {
    if (id != null) {
      sql.update(TOUCH, tx.now(), id);
    }
  }

  private static final String RENEW =
      """
      UPDATE duroxide_session SET locked_until = ? WHERE owner = ? AND locked_until > ? AND used_at > ?
      """;

  /** Extends the leases of owners that are valid and not idle; returns how many. */
  int renew(Collection<String> owners, Duration extendFor, Duration idleTimeout)
      throws SQLException {
    long until = StoreTime.after(tx.now(), extendFor);
    long idleSince = StoreTime.before(tx.now(), idleTimeout);
    int renewed = 0;
    for (String owner : Set.copyOf(owners)) {
      renewed += sql.update(RENEW, until, owner, tx.now(), idleSince);
    }
    if (renewed > 0) {
      tx.work().later(until);
    }
    return renewed;
  }

  private static final String CLEAN_UP =
      """
      DELETE FROM duroxide_session WHERE locked_until < ? AND id NOT IN
        (SELECT session FROM duroxide_lane WHERE session IS NOT NULL AND key IN (SELECT lane FROM duroxide_work))
      """;

  /** Removes leases that ended and that no queued activity refers to; returns how many. */
  int cleanUp() throws SQLException {
    return sql.update(CLEAN_UP, tx.now());
  }
}
