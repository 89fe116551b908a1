package io.duroxide.provider.postgres;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.NodeOfferCodec;
import io.duroxide.model.NodeOffer;
import io.duroxide.provider.NodeInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The nodes that have announced themselves. Thread-safe. */
final class Nodes {
  private final Store store;

  Nodes(Store store) {
    this.store = store;
  }

  private static final String SAVE =
      """
      WITH c AS (SELECT @.store_now(?) AS now),
      gone AS (DELETE FROM @.node n USING c WHERE n.until <= c.now AND n.id <> ?)
      INSERT INTO @.node (id, until, offer) SELECT ?, c.now + ?, ? FROM c
      ON CONFLICT (id) DO UPDATE SET until = excluded.until, offer = excluded.offer
      """;

  /** Notes that a node lives, and forgets those that no longer do; safe to repeat. */
  void announce(String node, NodeOffer offer, Duration validFor) {
    String text = NodeOfferCodec.encode(offer);
    long span = Millis.of(validFor);
    int saved =
        store.read(
            "announce", sql -> sql.update(SAVE, store.clock().given(), node, node, span, text));
    if (saved != 1) {
      throw new IllegalStateException("a node was saved in " + saved + " rows");
    }
  }

  private static final String ALIVE =
      """
      SELECT n.id, n.until, n.offer FROM @.node n WHERE n.until > @.store_now(?) ORDER BY n.id
      """;

  /** A node as it is stored. */
  private record Row(String id, long until, String offer) {}

  /** Those that this build cannot understand are newer, and left out. */
  List<NodeInfo> alive() {
    List<Row> rows =
        store.read(
            "nodes",
            sql ->
                sql.list(
                    ALIVE,
                    row -> new Row(Sql.text(row, 1), row.getLong(2), Sql.text(row, 3)),
                    store.clock().given()));
    return rows.stream().flatMap(row -> info(row).stream()).toList();
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
}
