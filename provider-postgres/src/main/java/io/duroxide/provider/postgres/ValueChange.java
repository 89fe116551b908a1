package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a commit does to one key of its instance, or to all.
 *
 * @param at when a value was set; null for the time of the commit
 */
record ValueChange(int op, @Nullable String key, @Nullable Long at, @Nullable String value) {
  private static final ValueChange CLEAR_ALL = new ValueChange(0, null, null, null);
  private static final int SET = 1;
  private static final int CLEAR = 2;

  /** The changes among the events of a commit: the last of each key, behind the last clearing. */
  static List<ValueChange> among(List<Event> events) {
    boolean cleared = false;
    Map<String, ValueChange> last = new LinkedHashMap<>();
    for (Event event : events) {
      if (event.kind() instanceof EventKind.KeyValueSet set) {
        long at = Millis.of(set.lastUpdatedAt());
        last.put(set.key(), new ValueChange(SET, set.key(), at, set.value()));
      } else if (event.kind() instanceof EventKind.KeyValueCleared clear) {
        last.put(clear.key(), new ValueChange(CLEAR, clear.key(), null, null));
      } else if (event.kind() instanceof EventKind.KeyValuesCleared) {
        cleared = true;
        last.clear();
      }
    }
    List<ValueChange> changes = new ArrayList<>();
    if (cleared) {
      changes.add(CLEAR_ALL);
    }
    changes.addAll(last.values());
    return changes;
  }
}
