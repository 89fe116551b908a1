package io.duroxide.provider.postgres;

import io.duroxide.codec.DecodeException;
import io.duroxide.model.ActivityKey;
import io.duroxide.provider.LockedWork;

/**
 * A locked activity as it was read; the caller decodes it.
 *
 * @param attempts how often it was fetched, this fetch included
 */
record RawWork(Tokens.Work lock, String instance, int attempts, WorkText text) {

  LockedWork decoded() {
    ActivityKey key = new ActivityKey(instance, lock.execution(), lock.activity());
    try {
      return text.decoded()
          .map(activity -> new LockedWork(key, activity, null, lock.text(), attempts))
          .orElseGet(() -> new LockedWork(key, null, "not an activity", lock.text(), attempts));
    } catch (DecodeException damage) {
      return new LockedWork(key, null, damage.getMessage(), lock.text(), attempts);
    }
  }
}
