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
  private final NewEvents events;

  Append(ExecutionKey execution, List<Event> events) {
    this.execution = execution;
    this.events = NewEvents.of(events);
  }

  @Override
  public Boolean run(Tables tables) throws SQLException {
    long id = execution.executionId();
    Records records = tables.records();
    InstanceRow known = tables.instances().find(execution.instance());
    long key = known == null ? 0 : known.key();
    Tail before = known == null ? Tail.NONE : records.history().tail(key, id);
    records.history().check(OPERATION, new History.Target(execution, key, before.event()), events);

    InstanceRow row = tables.instances().findOrNew(execution.instance());
    if (!records.executions().exists(row.key(), id)) {
      records.executions().insert(row.key(), id, ExecutionMetadata.NONE);
    }
    Tail after = records.history().append(row.key(), id, before, events);
    boolean isCurrent = row.execution() == id;
    if (!isCurrent) {
      records.executions().saveTail(row.key(), id, after);
    }
    int stage = Math.max(row.stage(), InstanceRow.UNNAMED);
    tables.instances().saveAppended(row.key(), stage, isCurrent ? after : row.tail());
    if (!row.isKnown()) {
      tables.orchestratorQueue().placeAgain(row.withStage(stage));
    }
    return true;
  }
}
