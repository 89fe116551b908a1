package io.duroxide.provider.sqlite;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.WorkFetch;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What decides who may run an activity; a fetch looks at the oldest of each lane alone. */
record Lane(String activity, @Nullable String tag, @Nullable String session) {
  static Lane of(WorkItem.ActivityExecute item) {
    return new Lane(item.name(), item.routing().tag(), item.routing().sessionId());
  }

  boolean passes(WorkFetch request) {
    Set<String> names = request.activityNames();
    return request.tags().admits(tag) && (names == null || names.contains(activity));
  }
}
