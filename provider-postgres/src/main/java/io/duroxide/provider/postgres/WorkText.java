package io.duroxide.provider.postgres;

import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.WorkItem;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An activity as it is stored: by itself, or as the event says that asked for it.
 *
 * @param payload null in the second case
 * @param orchestration whose event it is
 * @param version of that orchestration
 * @param event null in the first case
 */
record WorkText(
    @Nullable String payload,
    @Nullable String orchestration,
    @Nullable String version,
    @Nullable String event) {

  /** From a row with the payload in one column and the rest from another on. */
  static WorkText read(ResultSet row, int payload, int rest) throws SQLException {
    return new WorkText(
        row.getString(payload),
        Text.read(row.getString(rest)),
        Text.read(row.getString(rest + 1)),
        row.getString(rest + 2));
  }

  /** The activity; empty if it is something else, or its event is missing. */
  Optional<WorkItem.ActivityExecute> decoded() {
    if (payload != null) {
      return WorkItemCodec.decode(payload) instanceof WorkItem.ActivityExecute activity
          ? Optional.of(activity)
          : Optional.empty();
    }
    return event == null || orchestration == null || version == null
        ? Optional.empty()
        : Scheduled.in(EventCodec.decode(event), orchestration, version);
  }
}
