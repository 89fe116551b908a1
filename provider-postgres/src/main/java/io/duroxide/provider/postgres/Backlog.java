package io.duroxide.provider.postgres;

import io.duroxide.provider.Need;
import io.duroxide.provider.StoredText;
import io.duroxide.provider.WaitingWork;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is ready, by what it needs. Confined to one connection. */
final class Backlog {
  private final Sql sql;
  private final @Nullable Long now;
  private final int instancesEach;

  Backlog(Sql sql, @Nullable Long now, int instancesEach) {
    this.sql = sql;
    this.now = now;
    this.instancesEach = Math.max(0, instancesEach);
  }

  List<WaitingWork> count(int most) throws SQLException {
    List<WaitingWork> work = new ArrayList<>(turns(most));
    work.addAll(activities(most));
    return work;
  }

  /**
   * As a fetch looks at it: the next execution, else what is recorded unless it has ended, else the
   * start.
   */
  private static final String TURNS =
      """
      WITH c AS MATERIALIZED (SELECT @.store_now(?) AS now),
      line AS (
        SELECT m.instance, m.visible_at, m.seq FROM @.message m
        WHERE NOT m.parked AND m.visible_at <= (SELECT now FROM c)
        ORDER BY m.visible_at, m.seq LIMIT ?),
      subject AS (
        SELECT l.instance, min(l.place) AS place
        FROM (
          SELECT l.instance, row_number() OVER (ORDER BY l.visible_at, l.seq) AS place
          FROM line l) l
        GROUP BY l.instance),
      turn AS (
        SELECT i.id, s.place, coalesce(next.name,
            CASE WHEN i.stage = 2 AND i.status IN ('Completed', 'Failed') THEN NULL ELSE i.name END,
            u.name, start.name) AS name,
          CASE
            WHEN next.name IS NOT NULL THEN next.version
            WHEN i.name IS NOT NULL THEN i.version
            WHEN u.name IS NOT NULL THEN u.version
            ELSE start.version
          END AS version,
          CASE WHEN i.stage = 1 THEN u.pin ELSE i.pin END AS pin
        FROM c CROSS JOIN subject s
        JOIN @.instance i ON i.key = s.instance AND i.locked_until <= c.now
        LEFT JOIN LATERAL (
          SELECT e.pin, e.start_name AS name, e.start_version AS version FROM @.execution e
          WHERE i.stage = 1 AND e.instance = i.key ORDER BY e.id DESC LIMIT 1) u ON true
        LEFT JOIN LATERAL (
          SELECT m.name, m.version FROM @.message m
          WHERE m.instance = i.key AND m.kind IN (2, 3) AND m.kind = 3 AND m.visible_at <= c.now
          ORDER BY m.seq LIMIT 1) next ON true
        LEFT JOIN LATERAL (
          SELECT m.name, m.version FROM @.message m
          WHERE i.stage < 2 AND m.instance = i.key AND m.kind IN (2, 3) AND m.visible_at <= c.now
          ORDER BY m.seq LIMIT 1) start ON true)
      SELECT t.name, t.version, t.pin, count(*), (array_agg(t.id ORDER BY t.place))[1:?]
      FROM turn t WHERE t.name IS NOT NULL
      GROUP BY t.name, t.version, t.pin ORDER BY min(t.place)
      """;

  private List<WaitingWork> turns(int most) throws SQLException {
    return sql.list(
        TURNS,
        row ->
            waiting(
                new Need.Turn(
                    Sql.text(row, 1), Sql.maybeText(row, 2), StoredPins.read(row.getString(3))),
                row),
        now,
        most,
        instancesEach);
  }

  /** Lane by lane, as each is in order by itself. */
  private static final String ACTIVITIES =
      """
      WITH RECURSIVE lane AS (
        (SELECT w.name, w.tag FROM @.work w
         WHERE w.ready AND w.session IS NULL ORDER BY w.name, w.tag LIMIT 1)
        UNION ALL
        SELECT n.name, n.tag FROM lane l CROSS JOIN LATERAL (
          SELECT w.name, w.tag FROM @.work w
          WHERE w.ready AND w.session IS NULL AND (w.name, w.tag) > (l.name, l.tag)
          ORDER BY w.name, w.tag LIMIT 1) n),
      bound AS (SELECT ?::bigint AS most, @.store_now(?) AS now),
      task AS (
        SELECT h.* FROM lane l CROSS JOIN LATERAL (
          SELECT w.name, w.tag, w.instance, w.seq FROM @.work w
          WHERE w.ready AND w.session IS NULL AND w.name = l.name AND w.tag = l.tag
          ORDER BY w.seq LIMIT (SELECT most FROM bound)) h
        UNION ALL
        (SELECT w.name, w.tag, w.instance, w.seq FROM @.work w
         WHERE w.ready AND w.session IS NOT NULL
         ORDER BY w.seq LIMIT (SELECT most FROM bound))
        UNION ALL
        (SELECT w.name, w.tag, w.instance, w.seq FROM @.work w
         WHERE NOT w.ready AND w.wake_at <= (SELECT now FROM bound)
         ORDER BY w.wake_at LIMIT (SELECT most FROM bound))),
      share AS (
        SELECT t.name, t.tag, i.id, count(*) AS tasks, min(t.seq) AS first
        FROM task t JOIN @.instance i ON i.key = t.instance GROUP BY t.name, t.tag, i.id)
      SELECT s.name, nullif(s.tag, ''), NULL, sum(s.tasks),
        (array_agg(s.id ORDER BY s.first))[1:?]
      FROM share s GROUP BY s.name, s.tag ORDER BY min(s.first)
      """;

  private List<WaitingWork> activities(int most) throws SQLException {
    return sql.list(
        ACTIVITIES,
        row -> waiting(new Need.Run(Sql.text(row, 1), tag(Sql.maybeText(row, 2))), row),
        most,
        now,
        instancesEach);
  }

  private static WaitingWork waiting(Need need, ResultSet row) throws SQLException {
    String[] instances = (String[]) row.getArray(5).getArray();
    return new WaitingWork(
        need, row.getLong(4), Stream.of(instances).map(StoredText::unescaped).toList());
  }

  /** Stored behind a sign that tells a tag from none. */
  private static @Nullable String tag(@Nullable String stored) {
    return stored == null ? null : stored.substring(1);
  }
}
