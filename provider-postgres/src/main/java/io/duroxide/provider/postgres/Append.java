package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events that come from outside a turn. */
final class Append {
  static final String OPERATION = "appendWithExecution";

  private final StoreClock clock;
  private final ExecutionKey execution;
  private final List<StoredEvent> events;
  private final EventKind.@Nullable OrchestrationStarted start;

  Append(StoreClock clock, ExecutionKey execution, List<Event> events) {
    this.clock = clock;
    this.execution = execution;
    this.events = events.stream().map(StoredEvent::of).toList();
    this.start = TurnParts.first(events);
    TurnParts.checkIds(OPERATION, this.events);
  }

  private static final String ADDRESS =
      """
      SELECT o_keys[1] FROM @.address(ARRAY[?], ARRAY[NULL::bigint])
      """;

  private static final String HAS_ANY =
      """
      SELECT FROM @.history WHERE instance = ? AND execution = ? AND event = ANY (?) LIMIT 1
      """;

  private static final String ADD_EXECUTION =
      """
      INSERT INTO @.execution AS e (instance, id, started_at, status, carried, start_name,
        start_version)
      VALUES (?, ?, @.store_now(?), 'Running', ?, ?, ?)
      ON CONFLICT (instance, id) DO UPDATE SET carried = coalesce(e.carried, excluded.carried),
        start_name = coalesce(e.start_name, excluded.start_name),
        start_version = CASE WHEN e.start_name IS NULL THEN excluded.start_version ELSE e.start_version END
      """;

  private static final String ADD_EVENT =
      """
      INSERT INTO @.history (instance, execution, event, data) VALUES (?, ?, ?, ?)
      """;

  private static final String NOTE =
      """
      UPDATE @.instance SET stage = greatest(stage, 1),
        last_event = CASE WHEN stage = 2 AND execution = ? THEN greatest(last_event, ?) ELSE last_event END
      WHERE key = ?
      """;

  private static final String INTO_LINE =
      """
      UPDATE @.message SET parked = false WHERE instance = ? AND visible_at < @.far() AND parked
      """;

  boolean run(Sql sql) throws SQLException {
    long id = execution.executionId();
    long key = sql.number(ADDRESS, execution.instance());
    long[] ids = events.stream().mapToLong(StoredEvent::id).toArray();
    if (ids.length > 0 && sql.exists(HAS_ANY, key, id, ids)) {
      throw Refusal.duplicateEvent(OPERATION, execution.toString());
    }
    sql.update(
        ADD_EXECUTION,
        key,
        id,
        clock.given(),
        start == null ? null : start.inheritance().messages().size(),
        start == null ? null : start.name(),
        start == null ? null : start.version());
    long newest = 0;
    for (StoredEvent event : events) {
      sql.update(ADD_EVENT, key, id, event.id(), event.data());
      newest = Math.max(newest, event.id());
    }
    sql.update(NOTE, id, newest, key);
    sql.update(INTO_LINE, key);
    return true;
  }
}
