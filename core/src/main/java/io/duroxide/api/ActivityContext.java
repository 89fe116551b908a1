package io.duroxide.api;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import java.time.Duration;
import org.slf4j.Logger;

/** What an activity knows about its call, and how it learns that it is no longer wanted. */
public interface ActivityContext {

  /** Instance, execution and schedule event of the call. */
  ActivityKey key();

  /** The orchestration that asked. */
  ActivityOrigin orchestration();

  String activityName();

  /** Session and tag of the call. */
  ActivityRouting routing();

  /** The worker slot that runs the activity. */
  String workerId();

  /** How often this call was handed to a worker, this time included. */
  int attempt();

  default String instanceId() {
    return key().instance();
  }

  /** Logs with instance, execution, orchestration, activity and worker as fields. */
  Logger log();

  /** Whether the result is no longer wanted. */
  boolean isCancelled();

  /**
   * Runs {@code action} once when the activity is cancelled, on a thread beside the handler's; at
   * once and on the caller's if it already is.
   */
  void onCancel(Runnable action);

  /** Waits for a cancellation; false when the time is over first. */
  boolean awaitCancelled(Duration timeout) throws InterruptedException;

  /** A service of the node that runs the activity, such as its storage provider or converter. */
  <T> T service(Class<T> type);
}
