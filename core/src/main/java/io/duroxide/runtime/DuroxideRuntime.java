package io.duroxide.runtime;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityHandler;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.Provider;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs orchestrations and activities against a store until closed.
 *
 * <p>Several runtimes, in one or many processes, may share a store. Closing stops fetching at once,
 * lets turns finish and activities run up to the shutdown timeout, then hands the rest back.
 * Thread-safe.
 */
public final class DuroxideRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime");

  /** Turns are short; whatever the timeout, they may finish. */
  private static final Duration LEAST_TIME_FOR_TURNS = Duration.ofSeconds(2);

  private final RuntimeParts parts;
  private final ExecutionCache cache;
  private final RunningActivities running = new RunningActivities();
  private final LeaseKeeper leases;
  private final OrchestrationDispatcher orchestrations;
  private final WorkerDispatcher workers;
  private final Housekeeper housekeeper;
  private final PruneSweeper sweeper;
  private final AtomicBoolean closed = new AtomicBoolean();

  private DuroxideRuntime(RuntimeParts parts) {
    this.parts = parts;
    this.cache = new ExecutionCache(parts.options().cachedExecutions());
    this.leases = new LeaseKeeper(parts.time(), parts.runtimeId());
    Slots slots = new Slots(parts.options().workerConcurrency());
    WorkClaims claims = new WorkClaims(parts, slots);
    Steps steps = new Steps(parts, cache, claims, running::cancel);
    Sessions sessions =
        new Sessions(parts.options().sessions(), parts.options().workerNodeId(), parts.runtimeId());
    ActivityProcessor activities = new ActivityProcessor(parts, leases, running, sessions, steps);
    this.workers = new WorkerDispatcher(parts, slots, activities, sessions);
    TurnCommitter committer = new TurnCommitter(parts, claims, running::cancel);
    TurnProcessor turns = new TurnProcessor(parts, cache, committer);
    this.orchestrations = new OrchestrationDispatcher(parts, turns, cache, leases, workers);
    this.housekeeper = new Housekeeper(parts, sessions);
    this.sweeper = new PruneSweeper(parts);
  }

  /** A runtime on this store; the store stays the caller's to close. */
  public static Builder builder(Provider store) {
    return new Builder(store);
  }

  private DuroxideRuntime start() {
    LOG.info(
        "starting duroxide {} on {} {}, replaying {}",
        FrameworkVersion.CURRENT,
        parts.provider().name(),
        parts.provider().version(),
        parts.options().supportedReplayVersions());
    orchestrations.start();
    workers.start();
    housekeeper.start();
    new Pruner(parts).checkStore();
    sweeper.start();
    return this;
  }

  /** What an instance runs; empty if it is unknown. */
  public Optional<OrchestrationDescriptor> describe(String instanceId) {
    return parts.provider().read(instanceId).stream()
        .map(Event::kind)
        .filter(EventKind.OrchestrationStarted.class::isInstance)
        .map(EventKind.OrchestrationStarted.class::cast)
        .findFirst()
        .map(started ->
            new OrchestrationDescriptor(started.name(), started.version(), started.parent()));
  }

  /** Stops with the configured shutdown timeout. */
  @Override
  public void close() {
    shutdown(parts.options().shutdownTimeout());
  }

  /** Stops; true if nothing had to be interrupted. */
  public boolean shutdown(Duration timeout) {
    if (!closed.compareAndSet(false, true)) {
      return true;
    }
    orchestrations.stop();
    workers.stop();
    long began = parts.time().nanoTime();
    Duration forTurns =
        timeout.compareTo(LEAST_TIME_FOR_TURNS) < 0 ? LEAST_TIME_FOR_TURNS : timeout;
    boolean activitiesDone = false;
    boolean turnsDone = false;
    try {
      activitiesDone = workers.awaitStopped(forTurns) && workers.awaitIdle(left(began, timeout));
      running.handOverAll();
      turnsDone =
          orchestrations.awaitStopped(left(began, forTurns))
              && orchestrations.awaitIdle(left(began, forTurns));
    } catch (InterruptedException e) {
      running.handOverAll();
      Thread.currentThread().interrupt();
    }
    sweeper.close();
    housekeeper.close();
    leases.close();
    cache.clear();
    return activitiesDone && turnsDone;
  }

  private Duration left(long began, Duration timeout) {
    Duration left = timeout.minusNanos(parts.time().nanoTime() - began);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Collects what a runtime runs and how. */
  public static final class Builder {
    private final Provider store;
    private final OrchestrationRegistry.Builder orchestrations = OrchestrationRegistry.builder();
    private final ActivityRegistry.Builder activities = ActivityRegistry.builder();
    private RuntimeOptions options = RuntimeOptions.defaults();

    private Builder(Provider store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /** Registers an activity. */
    public <I, O> Builder activity(Activity<I, O> activity, ActivityHandler<I, O> handler) {
      activities.register(activity, handler);
      return this;
    }

    /** Registers version 1.0.0 of an orchestration. */
    public <I, O> Builder orchestration(
        Orchestration<I, O> orchestration, OrchestrationHandler<I, O> handler) {
      orchestrations.register(orchestration, handler);
      return this;
    }

    /** Registers a version of an orchestration. */
    public <I, O> Builder orchestration(
        Orchestration<I, O> orchestration, String version, OrchestrationHandler<I, O> handler) {
      orchestrations.register(orchestration, version, handler);
      return this;
    }

    /** Prunes past executions of an orchestration when it continues as new. */
    public Builder autoPrune(Orchestration<?, ?> orchestration, AutoPrunePolicy policy) {
      orchestrations.autoPrune(orchestration.name(), policy);
      return this;
    }

    /** Prunes past executions when an orchestration continues as new with this version. */
    public Builder autoPrune(
        Orchestration<?, ?> orchestration, String version, AutoPrunePolicy policy) {
      orchestrations.autoPrune(orchestration.name(), version, policy);
      return this;
    }

    /** Adds everything of a registry. */
    public Builder orchestrations(OrchestrationRegistry registry) {
      orchestrations.merge(registry);
      return this;
    }

    /** Adds everything of a registry. */
    public Builder activities(ActivityRegistry registry) {
      activities.merge(registry);
      return this;
    }

    public Builder options(RuntimeOptions newOptions) {
      options = newOptions;
      orchestrations.converter(newOptions.converter());
      activities.converter(newOptions.converter());
      return this;
    }

    /** Starts it; throws if registrations contradict each other. */
    public DuroxideRuntime start() {
      String id = SystemRandomness.guid().toString();
      RuntimeParts parts =
          new RuntimeParts(
              id, store, orchestrations.build(), activities.build(), options, new SystemTime());
      return new DuroxideRuntime(parts).start();
    }
  }
}
