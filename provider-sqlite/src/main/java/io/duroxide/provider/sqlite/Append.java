package io.duroxide.provider.sqlite;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.ExecutionMetadata;
import java.sql.SQLException;
import java.util.List;

/** Events that come from outside a turn. Run by the writer. */
final class Append implements Command<Boolean> {
  static final String OPERATION = "appendWithExecution";

  private final ExecutionKey execution;
  private final List<StoredEvent> events;

  Append(ExecutionKey execution, List<Event> events) {
    this.execution = execution;
    this.events = events.stream().map(StoredEvent::of).toList();
  }

  @Override
  public Boolean run(Tables tables) throws SQLException {
    long id = execution.executionId();
    Records records = tables.records();
    InstanceRow known = tables.instances().find(execution.instance());
    long newest = known == null ? 0 : records.history().newest(known.key(), id);
    long key = known == null ? 0 : known.key();
    records
        .history()
        .check(OPERATION, new History.Target(execution.toString(), key, id, newest), events);

    InstanceRow row = tables.instances().findOrNew(execution.instance());
    if (!records.executions().exists(row.key(), id)) {
      records.executions().insert(row.key(), id, ExecutionMetadata.NONE);
    }
    records.history().append(row.key(), id, events);
    tables.instances().saveAppended(appended(row));
    if (!row.isKnown()) {
      tables.orchestratorQueue().placeAgain(row.withStage(InstanceRow.UNNAMED));
    }
    return true;
  }

  private InstanceRow appended(InstanceRow row) {
    long newest = events.stream().mapToLong(StoredEvent::id).max().orElse(0);
    boolean isCurrent = row.exists() && row.current().execution() == execution.executionId();
    Current current = isCurrent ? row.current().withLastEvent(newest) : row.current();
    return new InstanceRow(
        row.ref(),
        Math.max(row.stage(), InstanceRow.UNNAMED),
        row.slot(),
        row.lock(),
        current,
        row.orchestration(),
        row.hasValues());
  }
}
