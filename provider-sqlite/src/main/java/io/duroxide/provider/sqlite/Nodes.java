package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.NodeOfferCodec;
import io.duroxide.provider.NodeInfo;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The nodes that have announced themselves. Confined to one connection. */
final class Nodes {
  private final Sql sql;

  Nodes(Sql sql) {
    this.sql = sql;
  }

  private static final String SAVE =
      """
      INSERT INTO duroxide_node (id, until, offer) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET until = excluded.until, offer = excluded.offer
      """;

  private static final String FORGET =
      """
      DELETE FROM duroxide_node WHERE until <= ?
      """;

  /** Notes that a node lives until then, and forgets those that no longer do. */
  void save(String id, String offer, long until, long now) throws SQLException {
    sql.update(SAVE, id, until, offer);
    sql.update(FORGET, now);
  }

  private static final String ALIVE =
      """
      SELECT id, until, offer FROM duroxide_node WHERE until > ? ORDER BY id
      """;

  /** A node as it is stored. */
  private record Row(String id, long until, String offer) {}

  /** Those that this build cannot understand are newer, and left out. */
  List<NodeInfo> alive(long now) throws SQLException {
    return rows(now).stream().flatMap(row -> info(row).stream()).toList();
  }

  private static Optional<NodeInfo> info(Row row) {
    try {
      return Optional.of(
          new NodeInfo(
              row.id(), NodeOfferCodec.decode(row.offer()), Instant.ofEpochMilli(row.until())));
    } catch (DecodeException newer) {
      return Optional.empty();
    }
  }

  private List<Row> rows(long now) throws SQLException {
    return sql.list(ALIVE, row -> new Row(row.getString(1), row.getLong(2), row.getString(3)), now);
  }
}
