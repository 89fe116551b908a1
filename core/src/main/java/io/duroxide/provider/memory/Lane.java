package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.WorkFetch;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What decides who may run an activity; a fetch looks at the oldest of each lane alone. */
record Lane(@Nullable String tag, @Nullable String session, String activity) {
  static Lane of(WorkItem.ActivityExecute item) {
    return new Lane(item.routing().tag(), item.routing().sessionId(), item.name());
  }

  boolean passes(WorkFetch request) {
    Set<String> names = request.activityNames();
    return request.tags().admits(tag) && (names == null || names.contains(activity));
  }
}
