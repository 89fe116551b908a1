package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of events. Confined to one connection. */
final class History {
  /** A row is a milestone if its events pass a multiple of this. */
  private static final int STRIDE = 128;

  private static final long UNREAD = -1;

  private final Sql sql;
  private final Totals totals;
  private long largest = UNREAD;

  private History(Sql sql, Totals totals) {
    this.sql = sql;
    this.totals = totals;
  }

  /** For reading. */
  static History on(Sql sql) {
    return new History(sql, new Totals());
  }

  /** For commands. */
  static History on(Tx tx) {
    History history = new History(tx.sql(), tx.totals());
    tx.onStale(history::forget);
    return history;
  }

  private static final String INSERT =
      """
      INSERT INTO duroxide_history (key, prior, instance, execution, first_event, last_event, events, bytes,
        milestone, data)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6,
        coalesce((SELECT events FROM duroxide_history
          WHERE key = ?2 AND instance = ?3 AND execution = ?4), 0) + ?6 - ?5 + 1,
        coalesce((SELECT bytes FROM duroxide_history
          WHERE key = ?2 AND instance = ?3 AND execution = ?4), 0) + octet_length(?8) - ?6 + ?5,
        ?7, ?8)
      """;

  /**
   * Appends events that passed {@link #check}.
   *
   * @param tail the end so far
   * @return the end from now on, which the caller has to keep
   */
  Tail append(long instance, long execution, Tail tail, NewEvents events) throws SQLException {
    if (!events.isBehind(tail.event())) {
      return appendLate(instance, execution, tail, events);
    }
    Tail end = tail;
    for (Stretch stretch : events.stretches()) {
      long key = largest() + stretch.size();
      sql.update(
          INSERT,
          key,
          end.key(),
          instance,
          execution,
          stretch.first(),
          stretch.last(),
          stretch.last() / STRIDE > end.event() / STRIDE ? stretch.last() : null,
          stretch.data());
      largest = key;
      end = new Tail(stretch.last(), key);
    }
    return end;
  }

  /** Rows of an execution stand in the order of their events, also if these came in another. */
  private Tail appendLate(long instance, long execution, Tail tail, NewEvents events)
      throws SQLException {
    NewEvents sorted = events.sorted();
    if (sorted.isBehind(tail.event())) {
      return append(instance, execution, tail, sorted);
    }
    List<StoredEvent> all = new ArrayList<>(after(instance, execution, 0));
    all.addAll(events.events());
    delete(instance, execution);
    return append(instance, execution, Tail.NONE, NewEvents.ofStored(all).sorted());
  }

  private static final String AFTER =
      """
      WITH RECURSIVE back (prior, first_event, last_event, data) AS (
        SELECT prior, first_event, last_event, data FROM duroxide_history
        WHERE instance = ?1 AND execution = ?2 AND key = coalesce(
          (SELECT key FROM duroxide_history
           WHERE instance = ?1 AND execution = ?2 AND milestone >= ?4 ORDER BY milestone LIMIT 1),
          (SELECT tail FROM duroxide_newest WHERE instance = ?1 AND execution = ?2))
        UNION ALL
        SELECT h.prior, h.first_event, h.last_event, h.data
        FROM back JOIN duroxide_history h ON h.key = back.prior AND h.instance = ?1 AND h.execution = ?2
        WHERE back.first_event - 1 > ?3)
      SELECT prior, first_event, last_event, data FROM back
      """;

  /** Events with larger ids than {@code after}, in order. */
  List<StoredEvent> after(long instance, long execution, long after) throws SQLException {
    return read(instance, execution, after, Long.MAX_VALUE);
  }

  /** The first of the events with larger ids than {@code after}, in order. */
  List<StoredEvent> after(long instance, long execution, long after, int limit)
      throws SQLException {
    long enough = after > Long.MAX_VALUE - limit ? Long.MAX_VALUE : Math.max(0, after) + limit;
    List<StoredEvent> found = read(instance, execution, after, enough);
    boolean isCutOff = found.size() < limit && lastOf(found) < tail(instance, execution).event();
    List<StoredEvent> events = isCutOff ? after(instance, execution, after) : found;
    return events.subList(0, Math.min(limit, events.size()));
  }

  private static long lastOf(List<StoredEvent> events) {
    return events.isEmpty() ? 0 : events.getLast().id();
  }

  /** A row, and the number of the one before it. */
  private record Link(long prior, Stretch stretch) {
    static Link read(ResultSet row) throws SQLException {
      return new Link(
          row.getLong(1), new Stretch(row.getLong(2), row.getLong(3), row.getString(4)));
    }
  }

  /**
   * Events with larger ids than {@code after}, in order; those larger than {@code enough} may be
   * missing. Where a row is missing, an event stands that cannot be decoded.
   */
  private List<StoredEvent> read(long instance, long execution, long after, long enough)
      throws SQLException {
    List<Link> links = sql.list(AFTER, Link::read, instance, execution, after, enough);
    links.sort(Comparator.comparingLong(link -> link.stretch().first()));
    List<StoredEvent> events = new ArrayList<>();
    if (isCutOff(links, instance, execution, after)) {
      long newest = links.isEmpty() ? after + 1 : links.getFirst().stretch().first() - 1;
      events.add(new StoredEvent(newest, "a row of history is missing"));
    }
    for (Link link : links) {
      for (StoredEvent event : link.stretch().events()) {
        if (event.id() > after) {
          events.add(event);
        }
      }
    }
    return events;
  }

  private static final String NAMED =
      """
      SELECT tail FROM duroxide_newest WHERE instance = ? AND execution = ?
      """;

  /** Whether a row is named and is not there, as in a damaged file. */
  private boolean isCutOff(List<Link> links, long instance, long execution, long after)
      throws SQLException {
    if (links.isEmpty()) {
      return sql.number(NAMED, instance, execution) != 0;
    }
    Link oldest = links.getFirst();
    return oldest.prior() != 0 && oldest.stretch().first() - 1 > after;
  }

  private static final String LAST =
      """
      SELECT first_event, last_event, data FROM duroxide_history
      WHERE instance = ?1 AND execution = ?2
        AND key = (SELECT tail FROM duroxide_newest WHERE instance = ?1 AND execution = ?2)
      """;

  /** The newest event; none if there is none. */
  List<StoredEvent> last(long instance, long execution) throws SQLException {
    Stretch newest =
        sql.first(
            LAST,
            row -> new Stretch(row.getLong(1), row.getLong(2), row.getString(3)),
            instance,
            execution);
    return newest == null ? List.of() : List.of(newest.events().getLast());
  }

  /** Refuses events that could not be appended; those behind the newest need no look. */
  void check(String operation, Target target, NewEvents events) throws SQLException {
    if (events.isBehind(target.newest())) {
      return;
    }
    for (StoredEvent event : events.events()) {
      if (event.id() < 1) {
        throw Refusal.invalid(
            operation, target.execution() + ": event ids begin at 1, got " + event.id());
      }
    }
    Set<Long> seen = new HashSet<>();
    for (StoredEvent event : events.events()) {
      long id = event.id();
      if (!seen.add(id) || (id <= target.newest() && has(target, id))) {
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

  private boolean has(Target target, long id) throws SQLException {
    List<StoredEvent> found = after(target.instance(), target.execution().executionId(), id - 1, 1);
    return !found.isEmpty() && found.getFirst().id() == id;
  }

  /**
   * Where events shall go.
   *
   * @param instance its number
   * @param newest the largest stored event id
   */
  record Target(ExecutionKey execution, long instance, long newest) {}

  private static final String TAIL =
      """
      SELECT last_event, tail FROM duroxide_newest
      WHERE instance = ? AND execution = ? AND last_event IS NOT NULL
      """;

  /** The end of an execution's history. */
  Tail tail(long instance, long execution) throws SQLException {
    Tail found =
        sql.first(TAIL, row -> new Tail(row.getLong(1), row.getLong(2)), instance, execution);
    return found == null ? Tail.NONE : found;
  }

  /** Name and version from the first start that can be decoded. */
  @Nullable OrchestrationIdentity recorded(long instance, long execution) throws SQLException {
    EventKind.OrchestrationStarted start = start(instance, execution);
    return start == null ? null : new OrchestrationIdentity(start.name(), start.version());
  }

  /** How many messages the execution began with, as its start has them. */
  long carried(long instance, long execution) throws SQLException {
    EventKind.OrchestrationStarted start = start(instance, execution);
    return start == null ? 0 : start.inheritance().messages().size();
  }

  /** Nearly always the first event. */
  private EventKind.@Nullable OrchestrationStarted start(long instance, long execution)
      throws SQLException {
    EventKind.OrchestrationStarted first = start(after(instance, execution, 0, 1));
    return first == null ? start(after(instance, execution, 0)) : first;
  }

  private static EventKind.@Nullable OrchestrationStarted start(List<StoredEvent> events) {
    return events.stream()
        .map(History::kind)
        .filter(EventKind.OrchestrationStarted.class::isInstance)
        .map(EventKind.OrchestrationStarted.class::cast)
        .findFirst()
        .orElse(null);
  }

  /** What an event says; null if it cannot be decoded. */
  private static @Nullable EventKind kind(StoredEvent event) {
    try {
      return EventCodec.decode(event.data()).kind();
    } catch (DecodeException damaged) {
      return null;
    }
  }

  private static final String EXECUTIONS =
      """
      SELECT id FROM duroxide_execution WHERE instance = ?
      """;

  /** Deletes the events of all executions of an instance; returns how many. */
  long deleteAll(long instance) throws SQLException {
    long removed = 0;
    for (long execution : sql.list(EXECUTIONS, row -> row.getLong(1), instance)) {
      removed += delete(instance, execution);
    }
    return removed;
  }

  private static final String EVENTS =
      """
      SELECT events FROM duroxide_newest WHERE instance = ? AND execution = ?
      """;

  private static final String DELETE =
      """
      DELETE FROM duroxide_history WHERE key IN (
        WITH RECURSIVE back (key) AS (
          SELECT tail FROM duroxide_newest WHERE instance = ?1 AND execution = ?2
          UNION ALL
          SELECT h.prior FROM back JOIN duroxide_history h ON h.key = back.key
          WHERE h.instance = ?1 AND h.execution = ?2 AND h.prior > 0)
        SELECT key FROM back) AND instance = ?1 AND execution = ?2
      """;

  /**
   * Deletes the events of an execution; returns how many. New events are numbered from the largest
   * on, which falls when the last ones are deleted.
   */
  long delete(long instance, long execution) throws SQLException {
    long events = sql.number(EVENTS, instance, execution);
    if (events > 0) {
      long before = largest();
      sql.update(DELETE, instance, execution);
      forget();
      totals.addVacant(events - (before - largest()));
    }
    return events;
  }

  private static final String LARGEST =
      """
      SELECT max(key) FROM duroxide_history
      """;

  private long largest() throws SQLException {
    if (largest == UNREAD) {
      largest = sql.number(LARGEST);
    }
    return largest;
  }

  /** To be called when rows may have come or gone otherwise. */
  void forget() {
    largest = UNREAD;
  }
}
