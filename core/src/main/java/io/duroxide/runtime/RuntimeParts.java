package io.duroxide.runtime;

import io.duroxide.model.EventStamp;
import io.duroxide.provider.Provider;
import io.duroxide.replay.Author;
import io.duroxide.replay.EngineOptions;
import io.duroxide.threads.ThreadMaker;
import java.time.Duration;

/** What the parts of a runtime share. */
record RuntimeParts(
    String runtimeId,
    Provider provider,
    OrchestrationRegistry orchestrations,
    ActivityRegistry activities,
    RuntimeOptions options,
    Waiting time,
    Signals signals) {

  EngineOptions engine() {
    return new EngineOptions(
        provider::now,
        SystemRandomness::guid,
        options.converter(),
        options.limits(),
        options.blockingLimit(),
        new Author(FrameworkVersion.CURRENT.toString(), "orch-" + runtimeId),
        new Pruner(this));
  }

  /** Who runs activities here, as handlers, logs and outcomes name it. */
  String workerId() {
    return "work-" + options.workerNodeId().orElse(runtimeId);
  }

  ThreadMaker threads() {
    return time.threads();
  }

  /** For events made by the runtime itself. */
  EventStamp stamp() {
    return new EventStamp(provider.now(), FrameworkVersion.CURRENT.toString());
  }

  /** Decides what becomes of a batch at this moment. */
  Triage triage() {
    return new Triage(orchestrations, options.supportedReplayVersions(), stamp());
  }

  /** Waits; an interrupt ends the pause and is kept. */
  void pause(Duration duration) {
    try {
      time.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
