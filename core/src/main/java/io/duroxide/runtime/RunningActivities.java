package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.threads.ThreadMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The activities that run in this process, so that a local cancel is immediate. Thread-safe. */
final class RunningActivities {
  /** An activity that can be told to stop. */
  interface Stoppable {
    /** Its result is no longer wanted. */
    void cancel();

    /** Another node will run it again. */
    void handOver();
  }

  private final Map<ActivityKey, Stoppable> running = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Adds an activity about to run; it is handed over at once if this node has stopped. */
  void add(ActivityKey key, Stoppable activity) {
    running.put(key, activity);
    if (closed) {
      activity.handOver();
    }
  }

  void remove(ActivityKey key, Stoppable activity) {
    running.remove(key, activity);
  }

  /** Cancels those of {@code keys} that run here. */
  void cancel(List<ActivityKey> keys) {
    for (ActivityKey key : keys) {
      Stoppable activity = running.get(key);
      if (activity != null) {
        activity.cancel();
      }
    }
  }

  /** Cancels those that a commit of {@code execution} removed. */
  void cancel(ExecutionKey execution, CancelledActivities cancelled) {
    cancel(cancelled.listed());
    if (cancelled.wholeExecution()) {
      running.forEach((key, activity) -> {
        if (key.instance().equals(execution.instance())
            && key.executionId() == execution.executionId()) {
          activity.cancel();
        }
      });
    }
  }

  /**
   * Hands over whatever runs, and whatever is added later. Each on a thread of its own, which are
   * returned: a store that does not answer for one keeps no other handler running.
   */
  List<Thread> handOverAll(ThreadMaker threads) {
    closed = true;
    List<Thread> handingOver = new ArrayList<>();
    running.forEach((key, activity) -> {
      Thread thread = threads.virtual("duroxide-hand-over-" + key, activity::handOver);
      thread.start();
      handingOver.add(thread);
    });
    return handingOver;
  }
}
