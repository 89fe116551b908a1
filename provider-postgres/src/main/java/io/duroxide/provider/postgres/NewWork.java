package io.duroxide.provider.postgres;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TextChecks;
import org.jspecify.annotations.Nullable;

/**
 * An activity on its way into the queue.
 *
 * @param tag as it is stored
 * @param payload encoded before a lane sees it
 */
record NewWork(
    WorkItem.ActivityExecute item,
    ActivityKey key,
    String tag,
    @Nullable String session,
    String payload) {
  private static final String NO_TAG = "";
  private static final String TAGGED = "#";

  /** The item as an activity; anything else is refused. */
  static NewWork of(String operation, WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute activity) {
      TextChecks.check(operation, activity);
      return new NewWork(
          activity,
          activity.key(),
          storedTag(activity.routing().tag()),
          activity.routing().sessionId(),
          WorkItemCodec.encode(activity));
    }
    throw Refusal.invalid(
        operation, item.instance() + ": only activities belong into the worker queue, got " + item);
  }

  /** An empty tag differs from none. */
  static String storedTag(@Nullable String tag) {
    return tag == null ? NO_TAG : TAGGED + tag;
  }

  /** The same as it is stored elsewhere, with fields that this release may not know. */
  NewWork withPayload(String stored) {
    return new NewWork(item, key, tag, session, stored);
  }

  String name() {
    return item.name();
  }
}
