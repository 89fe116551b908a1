package io.duroxide.provider.postgres;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/**
 * An activity on its way into the queue.
 *
 * @param tag as it is stored
 * @param encoded before a lane sees it; null if it is probably not stored
 */
record NewWork(
    WorkItem.ActivityExecute item,
    ActivityKey key,
    String tag,
    @Nullable String session,
    @Nullable String encoded) {
  private static final String NO_TAG = "";
  private static final String TAGGED = "#";

  /** The item as an activity; anything else is refused. */
  static NewWork of(String operation, WorkItem item) {
    NewWork work = heldOf(operation, item);
    return work.withPayload(work.payload());
  }

  /** As {@link #of}, but for one that its instance will hold, which does without a payload. */
  static NewWork heldOf(String operation, WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute activity) {
      return new NewWork(
          activity,
          activity.key(),
          storedTag(activity.routing().tag()),
          activity.routing().sessionId(),
          null);
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

  String payload() {
    return encoded == null ? WorkItemCodec.encode(item) : encoded;
  }

  String name() {
    return item.name();
  }
}
