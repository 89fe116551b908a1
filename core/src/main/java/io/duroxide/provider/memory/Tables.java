package io.duroxide.provider.memory;

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
}
