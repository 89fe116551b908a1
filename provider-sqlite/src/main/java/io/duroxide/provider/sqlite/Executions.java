package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.StoredText;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The table of executions, for commands. Confined to the writer. */
final class Executions {
  private final Tx tx;
  private final Sql sql;

  Executions(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
  }

  private static final String EXISTS =
      """
      SELECT 1 FROM duroxide_execution WHERE instance = ? AND id = ?
      """;

  boolean exists(long instance, long id) throws SQLException {
    return sql.exists(EXISTS, instance, id);
  }

  private static final String LATEST =
      """
      SELECT max(id) FROM duroxide_execution WHERE instance = ?
      """;

  /** The largest execution id; 0 for none. */
  long latest(long instance) throws SQLException {
    return sql.number(LATEST, instance);
  }

  private static final String INSERT =
      """
      INSERT INTO duroxide_execution
        (instance, id, status, started_at, completed_at, pin, carried, version, output)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  void insert(long instance, long id, ExecutionMetadata metadata) throws SQLException {
    ExecutionStatus status = metadata.status();
    sql.update(
        INSERT,
        instance,
        id,
        (status == null ? ExecutionStatus.RUNNING : status).stored(),
        tx.now(),
        completedAt(status),
        pin(metadata),
        metadata.carryForwardCount(),
        version(metadata),
        status == null ? null : StoredText.stored(metadata.output()));
    tx.totals().addExecutions(1);
  }

  private static final String NOTE_STATUS =
      """
      UPDATE duroxide_execution SET status = ?, output = ?, completed_at = ? WHERE instance = ? AND id = ?
      """;

  private void noteStatus(long instance, long id, ExecutionStatus status, @Nullable String output)
      throws SQLException {
    String text = StoredText.stored(output);
    sql.update(NOTE_STATUS, status.stored(), text, completedAt(status), instance, id);
  }

  private static final String NOTE_IDENTITY =
      """
      UPDATE duroxide_execution SET pin = coalesce(?, pin), carried = coalesce(?, carried),
        version = coalesce(?, version)
      WHERE instance = ? AND id = ?
      """;

  /** Notes what a commit says; absent fields leave things as they are. */
  void note(long instance, long id, ExecutionMetadata metadata) throws SQLException {
    ExecutionStatus status = metadata.status();
    if (status != null) {
      noteStatus(instance, id, status, metadata.output());
    }
    String pin = pin(metadata);
    String version = version(metadata);
    if (pin != null || version != null || metadata.carryForwardCount() != null) {
      sql.update(NOTE_IDENTITY, pin, metadata.carryForwardCount(), version, instance, id);
    }
  }

  private static final String OUTLINE =
      """
      SELECT pin, status, completed_at FROM duroxide_execution WHERE instance = ? AND id = ?
      """;

  /** What an instance repeats of its current execution. */
  record Outline(@Nullable String pin, ExecutionStatus status, @Nullable Long completedAt) {
    static final Outline NONE = new Outline(null, ExecutionStatus.RUNNING, null);
  }

  Outline outline(long instance, long id) throws SQLException {
    Outline found =
        sql.first(
            OUTLINE,
            row ->
                new Outline(
                    row.getString(1),
                    ExecutionStatus.ofStored(row.getString(2)),
                    Sql.nullableLong(row, 3)),
            instance,
            id);
    return found == null ? Outline.NONE : found;
  }

  private static final String SAVE_TAIL =
      """
      UPDATE duroxide_execution SET tail = ? WHERE instance = ? AND id = ?
      """;

  /** Keeps the end of a history for an execution that is not the current one of its instance. */
  void saveTail(long instance, long id, Tail tail) throws SQLException {
    sql.update(SAVE_TAIL, tail.key(), instance, id);
  }

  private static final String DELETE =
      """
      DELETE FROM duroxide_execution WHERE instance = ? AND id = ?
      """;

  void delete(long instance, long id) throws SQLException {
    tx.totals().addExecutions(-sql.update(DELETE, instance, id));
  }

  private static final String DELETE_ALL =
      """
      DELETE FROM duroxide_execution WHERE instance = ?
      """;

  int deleteAll(long instance) throws SQLException {
    int deleted = sql.update(DELETE_ALL, instance);
    tx.totals().addExecutions(-deleted);
    return deleted;
  }

  @Nullable Long completedAt(@Nullable ExecutionStatus status) {
    return status != null && status.isTerminal() ? tx.now() : null;
  }

  private static @Nullable String version(ExecutionMetadata metadata) {
    return metadata.orchestrationName() == null ? null : metadata.orchestrationVersion();
  }

  static @Nullable String pin(ExecutionMetadata metadata) {
    Semver pin = metadata.pinnedVersion();
    return pin == null ? null : pin.toString();
  }
}
