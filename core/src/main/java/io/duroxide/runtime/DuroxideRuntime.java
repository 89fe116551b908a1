package io.duroxide.runtime;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityHandler;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoreHealth;
import io.duroxide.provider.Subscription;
import io.duroxide.replay.Execution;
import io.duroxide.telemetry.Health;
import io.duroxide.telemetry.MetricsSnapshot;
import io.duroxide.telemetry.NodeVitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
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

  /** How long the end waits for what it tells the store. */
  private static final Duration FOR_THE_STORE = Duration.ofSeconds(3);

  private final RuntimeParts parts;
  private final ExecutionCache cache;
  private final RunningActivities running = new RunningActivities();
  private final LeaseKeeper leases;
  private final OrchestrationDispatcher orchestrations;
  private final WorkerDispatcher workers;
  private final Starts starts;
  private final Housekeeper housekeeper;
  private final PruneSweeper sweeper;
  private final Gauges gauges;
  private final NodeVitals vitals;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean undisturbed;
  private Subscription begun = Subscription.NONE;
  private Subscription orphans = Subscription.NONE;
  private Runnable endOfWatch = () -> {};

  private DuroxideRuntime(RuntimeParts parts) {
    this.parts = parts;
    InstanceTurns turnsUnderWay = new InstanceTurns(parts.options().orchestrationConcurrency());
    this.cache =
        new ExecutionCache(
            parts.options().cachedExecutions(), turnsUnderWay, parts.signals()::evicted);
    this.leases = new LeaseKeeper(parts);
    Slots slots = new Slots(parts.options().workerConcurrency());
    WorkClaims claims = new WorkClaims(parts, slots);
    TurnStorage storage = new TurnStorage(parts, cache, claims, running::cancel);
    Steps steps = new Steps(parts, cache, storage);
    Sessions sessions = new Sessions(parts.options(), parts.runtimeId(), slots, parts.signals());
    ActivityProcessor activities = new ActivityProcessor(parts, leases, running, sessions, steps);
    this.workers = new WorkerDispatcher(parts, slots, activities, sessions, leases);
    TurnCommitter committer = new TurnCommitter(parts, storage);
    TurnProcessor turns = new TurnProcessor(parts, cache, committer);
    this.orchestrations = new OrchestrationDispatcher(parts, turns, cache, leases, workers);
    this.starts = new Starts(parts, cache, storage, workers::launch);
    this.sweeper = new PruneSweeper(parts);
    this.gauges = new Gauges(parts.signals().listener(), parts.provider());
    this.vitals = new Vitals(parts.signals(), cache, sessions);
    this.housekeeper = new Housekeeper(parts, sessions, gauges);
  }

  /** A runtime on this store; the store stays the caller's to close. */
  public static Builder builder(Provider store) {
    return new Builder(store);
  }

  private DuroxideRuntime start() {
    LOG.atInfo()
        .addKeyValue("framework_version", FrameworkVersion.CURRENT)
        .addKeyValue("provider_name", parts.provider().name())
        .addKeyValue("provider_version", parts.provider().version())
        .addKeyValue("worker_id", parts.runtimeId())
        .log("starting");
    LOG.atInfo()
        .addKeyValue("supported_range", parts.options().supportedReplayVersions())
        .log("replaying executions of versions {}", parts.options().supportedReplayVersions());
    FirstUse.prepare(parts.stamp());
    parts.signals().nodeStarted(vitals);
    if (parts.signals().listening()) {
      countStore();
    }
    endOfWatch = parts.threads().watchCarriers();
    leases.start();
    orchestrations.start();
    workers.start();
    begun = starts.listen();
    orphans = parts.provider().localBus().tellOrphanPolicy(parts.options().orphanQueuePolicy());
    housekeeper.start();
    new Pruner(parts).checkStore();
    sweeper.start();
    return this;
  }

  /** Gauges are right from the start; a store that cannot be asked now will be asked later. */
  private void countStore() {
    try {
      gauges.measure();
    } catch (ProviderException e) {
      LOG.atWarn().addKeyValue("error", e.getMessage()).log("the store could not be counted");
    }
  }

  /** How this runtime is doing, in words; asks the store nothing. */
  public Health health() {
    HealthCheck check = new HealthCheck(parts.signals().watch(), parts.options(), vitals);
    return closed.get()
        ? check.closed()
        : check.threads(threads(), storeHealth()).leases(leases).open();
  }

  /** The threads without which this runtime does not work. */
  private List<Thread> threads() {
    return Stream.of(
            orchestrations.thread(),
            workers.thread(),
            Optional.of(leases.thread()),
            Optional.of(housekeeper.thread()),
            Optional.of(sweeper.thread()))
        .flatMap(Optional::stream)
        .toList();
  }

  private StoreHealth storeHealth() {
    try {
      return parts.provider().health();
    } catch (RuntimeException | Error e) {
      return new StoreHealth(0, 0, List.of("The store cannot say how it is: " + e.getMessage()));
    }
  }

  /** What this runtime has counted since it started, whether or not anyone listens. */
  public MetricsSnapshot metrics() {
    return parts.signals().snapshot();
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

  /**
   * Stops; true if nothing had to be interrupted. If another call stops it already, waits for what
   * that one says, for no longer than if it were the first; false if it is not known by then.
   */
  public boolean shutdown(Duration timeout) {
    Duration forTurns =
        timeout.compareTo(LEAST_TIME_FOR_TURNS) < 0 ? LEAST_TIME_FOR_TURNS : timeout;
    if (!closed.compareAndSet(false, true)) {
      return awaitStopped(forTurns);
    }
    try {
      undisturbed = stop(timeout, forTurns);
      return undisturbed;
    } finally {
      endOfWatch.run();
      Execution.dismissWatch();
      stopped.countDown();
    }
  }

  private boolean awaitStopped(Duration patience) {
    try {
      return stopped.await(patience.toNanos(), TimeUnit.NANOSECONDS) && undisturbed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean stop(Duration timeout, Duration forTurns) {
    begun.close();
    orphans.close();
    orchestrations.stop();
    starts.leave();
    workers.stop();
    long began = parts.time().nanoTime();
    boolean activitiesDone = false;
    boolean turnsDone = false;
    List<Thread> last = new ArrayList<>();
    try {
      activitiesDone = workers.awaitStopped(forTurns) && workers.awaitIdle(left(began, timeout));
      last.addAll(running.handOverAll(parts.threads()));
      turnsDone =
          orchestrations.awaitStopped(left(began, forTurns))
              && orchestrations.awaitIdle(left(began, forTurns));
    } catch (InterruptedException e) {
      last.addAll(running.handOverAll(parts.threads()));
      Thread.currentThread().interrupt();
    }
    sweeper.close();
    leases.close();
    cache.close();
    Thread farewell = parts.threads().virtual("duroxide-farewell", housekeeper::close);
    farewell.start();
    last.add(farewell);
    warnOfLeft(awaitEnd(last));
    parts.signals().nodeStopped(vitals, activitiesDone && turnsDone);
    return activitiesDone && turnsDone;
  }

  /** Waits for what the store is told last; a store that hangs does not hold up the end. */
  private List<Thread> awaitEnd(List<Thread> last) {
    long began = parts.time().nanoTime();
    try {
      for (Thread thread : last) {
        thread.join(left(began, FOR_THE_STORE).plusMillis(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return last.stream().filter(Thread::isAlive).toList();
  }

  private void warnOfLeft(List<Thread> waiting) {
    List<String> left = new ArrayList<>();
    Stream.concat(
            Stream.of(orchestrations.thread(), workers.thread()).flatMap(Optional::stream),
            waiting.stream())
        .filter(Thread::isAlive)
        .forEach(thread -> left.add("the thread " + thread.getName()));
    if (vitals.turnsInProgress() > 0) {
      left.add(vitals.turnsInProgress() + " turns");
    }
    if (vitals.activitiesInProgress() > 0) {
      left.add(vitals.activitiesInProgress() + " activities");
    }
    if (!left.isEmpty()) {
      LOG.warn(
          "closed in time, left behind: {}; what they hold is free when their locks end",
          String.join(", ", left));
    }
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

    /**
     * Lets the orchestration that was registered last complete only when these mailboxes are empty;
     * see {@link OrchestrationContext#endWhenRead(EventQueue[])}.
     */
    public Builder endsWhenRead(EventQueue<?>... queues) {
      orchestrations.endsWhenRead(queues);
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
      return this;
    }

    /** Starts it; throws if registrations contradict each other. */
    public DuroxideRuntime start() {
      String id = SystemRandomness.guid().toString();
      Waiting time = new SystemTime();
      Signals signals = new Signals(options, id, time, store::now);
      RuntimeParts parts =
          new RuntimeParts(
              id,
              observed(signals),
              orchestrations.build(),
              activities.build(),
              options,
              time,
              signals);
      return new DuroxideRuntime(parts).start();
    }

    private Provider observed(Signals signals) {
      return signals.listening()
          ? new InstrumentedProvider(store, new StoreCalls(signals.listener()))
          : store;
    }
  }
}
