package io.duroxide.provider.postgres;

import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Totals over the store. Confined to one connection. */
final class Census {
  private final Sql sql;

  Census(Sql sql) {
    this.sql = sql;
  }

  private static final String METRICS =
      """
      SELECT count(*), (SELECT count(*) FROM @.execution), (SELECT count(*) FROM @.history),
        count(*) FILTER (WHERE status NOT IN ('Completed', 'Failed')),
        count(*) FILTER (WHERE status = 'Completed'), count(*) FILTER (WHERE status = 'Failed')
      FROM @.instance WHERE stage = 2
      """;

  /** Instances between two executions are alive, so they count as running. */
  SystemMetrics metrics() throws SQLException {
    SystemMetrics metrics =
        sql.first(
            METRICS,
            row ->
                new SystemMetrics(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6)));
    return metrics == null ? new SystemMetrics(0, 0, 0, 0, 0, 0) : metrics;
  }

  /**
   * What an unknown instance has can be fetched once a start of it is visible; or is to be dropped,
   * if there is nothing but queue messages and nobody has laid them aside.
   */
  private static final String DEPTHS =
      """
      SELECT m.ready, m.total - m.ready - m.locked, m.locked, w.ready,
        w.total - w.ready - w.locked, w.locked
      FROM (SELECT @.store_now(?) AS now) c
      CROSS JOIN LATERAL (
        SELECT count(*) AS total,
          count(*) FILTER (WHERE m.arrives_at <= c.now AND i.locked_until > c.now) AS locked,
          count(*) FILTER (WHERE m.arrives_at <= c.now AND i.locked_until <= c.now AND (
            i.stage > 0 AND (m.visible_at <= c.now OR EXISTS (
              SELECT FROM @.message s WHERE s.instance = i.key AND s.visible_at <= c.now))
            OR EXISTS (
              SELECT FROM @.message s
              WHERE s.instance = i.key AND s.kind IN (2, 3) AND s.visible_at <= c.now)
            OR (
              EXISTS (SELECT FROM @.message s WHERE s.instance = i.key AND NOT s.parked)
              AND NOT EXISTS (
                SELECT FROM @.message s WHERE s.instance = i.key AND s.kind <> 1)))) AS ready
        FROM (
          SELECT m.instance, m.visible_at,
            m.visible_at - CASE WHEN m.visible_at < @.far() THEN 0 ELSE @.far() END AS arrives_at
          FROM @.message m) m
        JOIN @.instance i ON i.key = m.instance) m
      CROSS JOIN LATERAL (
        SELECT count(*) AS total,
          count(*) FILTER (WHERE w.ready OR w.wake_at <= c.now) AS ready,
          count(*) FILTER (WHERE NOT w.ready AND w.wake_at > c.now AND w.token IS NOT NULL) AS locked
        FROM @.work w) w
      """;

  QueueDepths depths(@Nullable Long now) throws SQLException {
    QueueDepths depths =
        sql.first(
            DEPTHS,
            row ->
                new QueueDepths(
                    new QueueDepth(row.getLong(1), row.getLong(2), row.getLong(3)),
                    new QueueDepth(row.getLong(4), row.getLong(5), row.getLong(6))),
            now);
    return depths == null ? QueueDepths.EMPTY : depths;
  }
}
