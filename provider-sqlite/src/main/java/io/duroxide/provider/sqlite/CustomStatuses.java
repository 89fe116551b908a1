package io.duroxide.provider.sqlite;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.StoredText;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of custom statuses. Confined to the writer. */
final class CustomStatuses {
  private final Sql sql;

  CustomStatuses(Sql sql) {
    this.sql = sql;
  }

  /** The change that the events of a commit make: the last one decides. */
  static EventKind.@Nullable CustomStatusUpdated change(List<Event> events) {
    for (Event event : events.reversed()) {
      if (event.kind() instanceof EventKind.CustomStatusUpdated updated) {
        return updated;
      }
    }
    return null;
  }

  private static final String SET =
      """
      INSERT INTO duroxide_custom_status (instance, version, status) VALUES (?, 1, ?)
      ON CONFLICT (instance) DO UPDATE SET version = version + 1, status = excluded.status
      """;

  void set(long instance, EventKind.CustomStatusUpdated change) throws SQLException {
    sql.update(SET, instance, StoredText.stored(change.status()));
  }

  private static final String CLEAR =
      """
      UPDATE duroxide_custom_status SET version = version + 1, status = NULL
      WHERE instance = ? AND status IS NOT NULL
      """;

  /** An execution begins without the status that the one before left. */
  void clear(long instance) throws SQLException {
    sql.update(CLEAR, instance);
  }

  private static final String DELETE =
      """
      DELETE FROM duroxide_custom_status WHERE instance = ?
      """;

  void delete(long instance) throws SQLException {
    sql.update(DELETE, instance);
  }
}
