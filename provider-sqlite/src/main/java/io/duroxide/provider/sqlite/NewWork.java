package io.duroxide.provider.sqlite;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TextChecks;

/** An activity on its way into the queue, encoded before the writer sees it. */
record NewWork(WorkItem.ActivityExecute item, Lane lane, String payload) {

  /** The same as it is stored elsewhere, with fields that this release may not know. */
  NewWork withPayload(String stored) {
    return new NewWork(item, lane, stored);
  }

  ActivityKey key() {
    return item.key();
  }

  /** The item as an activity; anything else is refused. */
  static NewWork of(String operation, WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute activity) {
      TextChecks.check(operation, activity);
      return new NewWork(activity, Lane.of(activity), WorkItemCodec.encode(activity));
    }
    throw Refusal.invalid(
        operation, item.instance() + ": only activities belong into the worker queue, got " + item);
  }
}
