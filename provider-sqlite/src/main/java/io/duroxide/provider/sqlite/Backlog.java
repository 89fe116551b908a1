package io.duroxide.provider.sqlite;

import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.Need;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.WaitingWork;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is ready, by what it needs. Confined to one connection. */
final class Backlog {
  private static final int PAGE = 1000;
  private static final List<Integer> LINES = List.of(Slot.READY, Slot.SLEEPING, Slot.HELD);

  private final Sql sql;
  private final long now;
  private final int instancesEach;
  private final Map<Need, Group> waiting = new LinkedHashMap<>();

  Backlog(Sql sql, long now, int instancesEach) {
    this.sql = sql;
    this.now = now;
    this.instancesEach = Math.max(0, instancesEach);
  }

  /**
   * An instance and since when it waits.
   *
   * @param seq the number of its message or activity
   */
  private record Owner(String id, long seq) {
    static Owner read(ResultSet row) throws SQLException {
      return new Owner(row.getString(1), row.getLong(2));
    }
  }

  /** Work with the same need. */
  private final class Group {
    private final List<Owner> owners = new ArrayList<>();
    private long count;

    void add(Owner owner) {
      count++;
      owners.add(owner);
      if (owners.size() > instancesEach + PAGE) {
        owners.sort(Comparator.comparingLong(Owner::seq));
        owners.subList(instancesEach, owners.size()).clear();
      }
    }

    List<String> longestFirst() {
      return owners.stream()
          .sorted(Comparator.comparingLong(Owner::seq))
          .map(Owner::id)
          .distinct()
          .limit(instancesEach)
          .toList();
    }
  }

  private Group group(Need need) {
    return waiting.computeIfAbsent(need, any -> new Group());
  }

  /** All activities, for their index tells them by lane; turns are looked at one by one. */
  List<WaitingWork> count(int mostTurns) throws SQLException {
    int left = mostTurns;
    for (int line : LINES) {
      left -= countTurns(line, left);
    }
    countActivities(WorkerQueue.READY);
    countActivities(WorkerQueue.READY_IN_SESSION);
    countDueActivities();
    return waiting.entrySet().stream()
        .map(entry ->
            new WaitingWork(
                entry.getKey(), entry.getValue().count, entry.getValue().longestFirst()))
        .toList();
  }

  /** An instance that can be fetched. */
  private record Ready(
      long key, String id, int stage, Place place, @Nullable String pin, @Nullable Asked asked) {
    static Ready read(ResultSet row) throws SQLException {
      String name = row.getString(7);
      return new Ready(
          row.getLong(1),
          row.getString(2),
          row.getInt(3),
          new Place(row.getLong(4), row.getLong(5)),
          row.getString(6),
          name == null ? null : new Asked(name, row.getString(8)));
    }
  }

  /**
   * What a turn runs.
   *
   * @param version null when a policy shall choose it
   */
  private record Asked(String name, @Nullable String version) {}

  /**
   * The next execution, else what is recorded unless it has ended, else the start, as a fetch looks
   * at it.
   */
  private static final String TURNS =
      """
      SELECT i.key, i.id, i.stage, i.slot_at, i.slot_seq, i.pin,
        coalesce(n.name, CASE WHEN i.stage = 2 AND i.status IN ('Completed', 'Failed')
          THEN NULL ELSE i.name END, s.name),
        CASE WHEN n.name IS NOT NULL THEN n.version
          WHEN i.name IS NOT NULL THEN i.version ELSE s.version END
      FROM duroxide_instance i
      LEFT JOIN duroxide_message n ON n.instance = i.key AND n.seq =
        (SELECT min(seq) FROM duroxide_message WHERE instance = i.key AND visible_at <= ?1 AND kind = 3)
      LEFT JOIN duroxide_message s ON i.stage <> 2 AND s.instance = i.key AND s.seq =
        (SELECT min(seq) FROM duroxide_message WHERE instance = i.key AND visible_at <= ?1 AND kind = 2)
      WHERE i.line = ?2 AND (i.slot_at, i.slot_seq) > (?3, ?4) AND i.slot_at <= ?1
      ORDER BY i.slot_at, i.slot_seq LIMIT ?5
      """;

  private int countTurns(int line, int most) throws SQLException {
    Place after = new Place(Long.MIN_VALUE, Long.MIN_VALUE);
    int seen = 0;
    while (seen < most) {
      int limit = Math.min(PAGE, most - seen);
      List<Ready> page = sql.list(TURNS, Ready::read, now, line, after.at(), after.seq(), limit);
      for (Ready ready : page) {
        add(ready);
        after = ready.place();
      }
      seen += page.size();
      if (page.size() < limit) {
        break;
      }
    }
    return seen;
  }

  private void add(Ready ready) throws SQLException {
    Need need = ready.stage() == InstanceRow.UNNAMED ? unnamed(ready) : named(ready);
    if (need != null) {
      group(need).add(new Owner(ready.id(), ready.place().seq()));
    }
  }

  private static @Nullable Need named(Ready ready) {
    Asked asked = ready.asked();
    return asked == null
        ? null
        : new Need.Turn(asked.name(), asked.version(), ExecutionPin.ofStored(ready.pin()));
  }

  private static final String LATEST =
      """
      SELECT id, pin FROM duroxide_execution WHERE instance = ? ORDER BY id DESC LIMIT 1
      """;

  /** An execution of an instance that no commit has named. */
  private record Latest(long id, @Nullable String pin) {}

  private static final String HAS_CONTINUATION =
      """
      SELECT 1 FROM duroxide_message WHERE instance = ? AND visible_at <= ? AND kind = 3 LIMIT 1
      """;

  /** Goes by its latest history, unless the next execution is asked for. */
  private @Nullable Need unnamed(Ready ready) throws SQLException {
    Latest latest =
        sql.first(LATEST, row -> new Latest(row.getLong(1), row.getString(2)), ready.key());
    if (latest == null) {
      return named(ready);
    }
    ExecutionPin pin = ExecutionPin.ofStored(latest.pin());
    Asked asked = ready.asked();
    if (asked != null && sql.exists(HAS_CONTINUATION, ready.key(), now)) {
      return new Need.Turn(asked.name(), asked.version(), pin);
    }
    OrchestrationIdentity recorded = History.on(sql).recorded(ready.key(), latest.id());
    if (recorded != null) {
      return new Need.Turn(recorded.name(), recorded.version(), pin);
    }
    return asked == null ? null : new Need.Turn(asked.name(), asked.version(), pin);
  }

  /** Activities of one lane that can be fetched. */
  private record Lot(long lane, Need.Run need, long count) {}

  private static final String LOTS =
      """
      SELECT w.slot, l.activity, l.tag, count(*) FROM duroxide_work w JOIN duroxide_lane l ON l.key = w.slot
      WHERE w.line = ? GROUP BY w.slot
      """;

  private static final String OWNERS =
      """
      SELECT i.id, w.seq FROM duroxide_work w JOIN duroxide_instance i ON i.key = w.instance
      WHERE w.line = ? AND w.slot = ? ORDER BY w.seq LIMIT ?
      """;

  private void countActivities(int line) throws SQLException {
    List<Lot> lots =
        sql.list(LOTS, row -> new Lot(row.getLong(1), run(row, 2), row.getLong(4)), line);
    for (Lot lot : lots) {
      Group group = group(lot.need());
      group.count += lot.count();
      group.owners.addAll(sql.list(OWNERS, Owner::read, line, lot.lane(), instancesEach));
    }
  }

  private static Need.Run run(ResultSet row, int column) throws SQLException {
    return new Need.Run(row.getString(column), row.getString(column + 1));
  }

  /** One activity whose lock or rest is over. */
  private record Due(Owner owner, Need.Run need) {}

  private static final String DUE =
      """
      SELECT i.id, w.seq, l.activity, l.tag FROM duroxide_work w
      JOIN duroxide_lane l ON l.key = w.lane JOIN duroxide_instance i ON i.key = w.instance
      WHERE w.line = 2 AND w.slot <= ?
      """;

  private void countDueActivities() throws SQLException {
    for (Due due : sql.list(DUE, row -> new Due(Owner.read(row), run(row, 3)), now)) {
      group(due.need()).add(due.owner());
    }
  }
}
