package io.duroxide.provider.postgres;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;

/**
 * A locked activity as it was read; the caller decodes it.
 *
 * @param attempts how often it was fetched, this fetch included
 */
record RawWork(Tokens.Work lock, String instance, int attempts, String payload) {

  LockedWork decoded() {
    ActivityKey key = new ActivityKey(instance, lock.execution(), lock.activity());
    try {
      return WorkItemCodec.decode(payload) instanceof WorkItem.ActivityExecute activity
          ? new LockedWork(key, activity, null, lock.text(), attempts)
          : new LockedWork(key, null, "not an activity", lock.text(), attempts);
    } catch (DecodeException damage) {
      return new LockedWork(key, null, damage.getMessage(), lock.text(), attempts);
    }
  }
}
