package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of events. Confined to one connection. */
final class History {
  private final Sql sql;
  private final Totals totals;

  History(Sql sql, Totals totals) {
    this.sql = sql;
    this.totals = totals;
  }

  /** For reading. */
  static History on(Sql sql) {
    return new History(sql, new Totals());
  }

  private static final String INSERT =
      """
      INSERT INTO history (instance, execution, event, data) VALUES (?, ?, ?, ?)
      """;

  private static final String INSERT_TWO =
      """
      INSERT INTO history (instance, execution, event, data)
      VALUES (?1, ?2, ?3, ?4), (?1, ?2, ?5, ?6)
      """;

  /** Appends events that passed {@link #check}; what is stored is not looked at. */
  void append(long instance, long execution, List<StoredEvent> events) throws SQLException {
    int pairs = events.size() / 2 * 2;
    for (int i = 0; i < pairs; i += 2) {
      StoredEvent one = events.get(i);
      StoredEvent two = events.get(i + 1);
      sql.update(INSERT_TWO, instance, execution, one.id(), one.data(), two.id(), two.data());
    }
    if (pairs < events.size()) {
      StoredEvent last = events.getLast();
      sql.update(INSERT, instance, execution, last.id(), last.data());
    }
  }

  private static final String AFTER =
      """
      SELECT event, data FROM history WHERE instance = ? AND execution = ? AND event > ?
      ORDER BY event LIMIT 0 + ?
      """;

  /** Events with larger ids than {@code after}, in order. */
  List<StoredEvent> after(long instance, long execution, long after) throws SQLException {
    return after(instance, execution, after, Integer.MAX_VALUE);
  }

  List<StoredEvent> after(long instance, long execution, long after, int limit)
      throws SQLException {
    return sql.list(
        AFTER,
        row -> new StoredEvent(row.getLong(1), row.getString(2)),
        instance,
        execution,
        after,
        limit);
  }

  private static final String LAST =
      """
      SELECT event, data FROM history WHERE instance = ? AND execution = ?
      ORDER BY event DESC LIMIT 1
      """;

  List<StoredEvent> last(long instance, long execution) throws SQLException {
    return sql.list(
        LAST, row -> new StoredEvent(row.getLong(1), row.getString(2)), instance, execution);
  }

  private static final String HAS =
      """
      SELECT 1 FROM history WHERE instance = ? AND execution = ? AND event = ?
      """;

  /** Refuses events that could not be appended; those behind the newest need no look. */
  void check(String operation, Target target, List<StoredEvent> events) throws SQLException {
    if (isBehind(target.newest(), events)) {
      return;
    }
    for (StoredEvent event : events) {
      if (event.id() < 1) {
        throw Refusal.invalid(
            operation, target.execution() + ": event ids begin at 1, got " + event.id());
      }
    }
    Set<Long> seen = new HashSet<>();
    for (StoredEvent event : events) {
      long id = event.id();
      boolean stored =
          id <= target.newest()
              && sql.exists(HAS, target.instance(), target.execution().executionId(), id);
      if (stored || !seen.add(id)) {
        throw new ProviderException(
            Kind.DUPLICATE_EVENT,
            operation,
            target.execution()
                + ": event "
                + id
                + " is stored already; drop the turn and fetch again");
      }
    }
  }

  /** Whether ids go up from one that is stored, as nearly always. */
  private static boolean isBehind(long newest, List<StoredEvent> events) {
    long before = Math.max(0, newest);
    for (StoredEvent event : events) {
      if (event.id() <= before) {
        return false;
      }
      before = event.id();
    }
    return true;
  }

  /**
   * Where events shall go.
   *
   * @param instance its number
   * @param newest the largest stored event id
   */
  record Target(ExecutionKey execution, long instance, long newest) {}

  private static final String NEWEST =
      """
      SELECT max(event) FROM history WHERE instance = ? AND execution = ?
      """;

  /** The largest stored event id; 0 for none. */
  long newest(long instance, long execution) throws SQLException {
    return sql.number(NEWEST, instance, execution);
  }

  /** Name and version from the first start that can be decoded. */
  @Nullable OrchestrationIdentity recorded(long instance, long execution) throws SQLException {
    EventKind.OrchestrationStarted start = start(instance, execution);
    return start == null ? null : new OrchestrationIdentity(start.name(), start.version());
  }

  EventKind.@Nullable OrchestrationStarted start(long instance, long execution)
      throws SQLException {
    return after(instance, execution, 0).stream()
        .map(History::kind)
        .filter(EventKind.OrchestrationStarted.class::isInstance)
        .map(EventKind.OrchestrationStarted.class::cast)
        .findFirst()
        .orElse(null);
  }

  /** What an event says; null if it cannot be decoded. */
  static @Nullable EventKind kind(StoredEvent event) {
    try {
      return EventCodec.decode(event.data()).kind();
    } catch (DecodeException damaged) {
      return null;
    }
  }

  private static final String DELETE =
      """
      DELETE FROM history WHERE instance = ? AND execution = ?
      """;

  int delete(long instance, long execution) throws SQLException {
    return remove(DELETE, instance, execution);
  }

  private static final String DELETE_ALL =
      """
      DELETE FROM history WHERE instance = ?
      """;

  int deleteAll(long instance) throws SQLException {
    return remove(DELETE_ALL, instance);
  }

  private static final String LARGEST =
      """
      SELECT max(key) FROM history
      """;

  /** New events are numbered from the largest on, which falls when the last ones are deleted. */
  private int remove(String text, Object... values) throws SQLException {
    long before = sql.number(LARGEST);
    int removed = sql.update(text, values);
    totals.addVacant(removed - (before - sql.number(LARGEST)));
    return removed;
  }
}
