package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The activities that run in this process, so that a local cancel is immediate. Thread-safe. */
final class RunningActivities {
  /** An activity that can be told to stop. */
  @FunctionalInterface
  interface Stoppable {
    void stop();
  }

  private final Map<ActivityKey, Stoppable> running = new ConcurrentHashMap<>();

  void add(ActivityKey key, Stoppable activity) {
    running.put(key, activity);
  }

  void remove(ActivityKey key, Stoppable activity) {
    running.remove(key, activity);
  }

  /** Stops those of {@code keys} that run here. */
  void cancel(List<ActivityKey> keys) {
    for (ActivityKey key : keys) {
      Stoppable activity = running.get(key);
      if (activity != null) {
        activity.stop();
      }
    }
  }

  void cancelAll() {
    running.values().forEach(Stoppable::stop);
  }
}
