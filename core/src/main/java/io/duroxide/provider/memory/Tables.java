package io.duroxide.provider.memory;

import java.time.Duration;
import java.time.Instant;

/** Everything one store holds. Guarded by the gate. */
record Tables(
    StoreClock clock,
    Instances instances,
    OrchestratorQueue orchestratorQueue,
    WorkerQueue workerQueue,
    Sessions sessions) {
  Instant now() {
    return clock.now();
  }

  /** Renews the lock of an activity, which uses its session. */
  void renewWork(String lockToken, Duration extendFor) {
    Task task = workerQueue.renew(lockToken, extendFor);
    sessions.touch(task.lane().session());
  }
}
