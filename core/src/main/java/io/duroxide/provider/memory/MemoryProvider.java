package io.duroxide.provider.memory;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.NodeOffer;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ClockStep;
import io.duroxide.provider.ClockSteps;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LocalBus;
import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockTokens;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.ShortCut;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps everything in memory: nothing survives the process.
 *
 * <p>Every operation is one step under one lock, and model objects are kept as they were given.
 * Fetches wait in real time; visibility, locks and leases follow the clock given to {@link
 * #create(InstantSource)}. Thread-safe.
 */
public final class MemoryProvider implements Provider {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.memory");

  private final Gate gate = new Gate();
  private final WaitingRoom turnRoom;
  private final WaitingRoom workRoom;
  private final Tables tables;
  private final Reads reads;
  private final Nodes nodes;
  private final Admin admin;
  private final LocalBus bus = new LocalBus();
  private final ClockSteps steps = new ClockSteps(LOG);

  MemoryProvider(InstantSource source, Supplier<String> tokens) {
    StoreClock clock = new StoreClock(source);
    this.turnRoom = new WaitingRoom(gate, clock);
    this.workRoom = new WaitingRoom(gate, clock);
    Instances instances = new Instances();
    this.tables =
        new Tables(
            clock,
            instances,
            new OrchestratorQueue(instances, clock, tokens, turnRoom),
            new WorkerQueue(clock, tokens, workRoom),
            new Sessions(clock));
    this.reads = new Reads(instances);
    this.nodes = new Nodes(clock);
    this.admin = new Admin(gate, tables, nodes);
    gate.beforeEach(this::followClock);
  }

  /** A clock that was set back changes no order and hides nothing. */
  private void followClock() {
    tables
        .clock()
        .step()
        .ifPresent(step -> {
          tables.orchestratorQueue().shift(step);
          tables.workerQueue().shift(step);
          tables.sessions().shift(step);
          nodes.shift(step);
          steps.noticed(step.back(), tables.now());
        });
  }

  /** An empty store on the system's clock. */
  public static MemoryProvider create() {
    return create(InstantSource.system());
  }

  /** An empty store on {@code clock}; see {@link #clockAdvanced}. */
  public static MemoryProvider create(InstantSource clock) {
    return new MemoryProvider(clock, LockTokens.random());
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Instant now() {
    return tables.clock().reading();
  }

  /** To be called after moving the clock, so that waiting fetches look again at once. */
  public void clockAdvanced() {
    gate.always(this::wakeEveryone);
  }

  @Override
  public void enqueueForOrchestrator(WorkItem item, Duration delay) {
    String operation = "enqueueForOrchestrator";
    WorkItem.ForOrchestrator message = OrchestratorQueue.check(operation, item);
    gate.run(operation, () -> tables.orchestratorQueue().enqueue(message, delay));
  }

  @Override
  public void enqueueForOrchestrator(List<WorkItem> items) {
    String operation = "enqueueForOrchestrator";
    List<WorkItem.ForOrchestrator> messages =
        items.stream().map(item -> OrchestratorQueue.check(operation, item)).toList();
    gate.run(
        operation,
        () -> messages.forEach(item -> tables.orchestratorQueue().enqueue(item, Duration.ZERO)));
  }

  @Override
  public SendAnswer send(Sending sending) {
    CheckedSend.check(sending);
    return gate.enter("send", () -> new CheckedSend(tables, sending).run());
  }

  @Override
  public Optional<LockedOrchestration> fetchOrchestrationItem(OrchestrationFetch request)
      throws InterruptedException {
    return fetchOrchestrationItems(request, 1).stream().findFirst();
  }

  @Override
  public List<LockedOrchestration> fetchOrchestrationItems(OrchestrationFetch request, int max)
      throws InterruptedException {
    String operation = "fetchOrchestrationItem";
    Refusal.checkLease(operation, request.lockTimeout());
    DispatcherCapabilityFilter filter = request.filter();
    boolean hopeless = max <= 0 || (filter != null && filter.supported().isEmpty());
    TurnSearch search = new TurnSearch(tables, request, max);
    return gate.enterWaiting(
        operation, () -> hopeless ? List.of() : turnRoom.await(search, request.pollTimeout()));
  }

  @Override
  public Optional<CommittedTurn> commitTurn(TurnSource source, TurnCommit commit, WorkClaim claim) {
    Optional<TurnAck.Committed> committed =
        gate.enter("commitTurn", () -> TurnAck.commit(tables, source, commit, claim));
    committed.ifPresent(done -> bus.committed(done.instance(), commit));
    return committed.map(TurnAck.Committed::turn);
  }

  @Override
  public void abandonOrchestrationItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    gate.run(
        "abandonOrchestrationItem",
        () -> tables.orchestratorQueue().abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
    gate.run(
        "renewOrchestrationItemLock", () -> tables.orchestratorQueue().renew(lockToken, extendFor));
  }

  @Override
  public void enqueueForWorker(WorkItem item) {
    String operation = "enqueueForWorker";
    WorkItem.ActivityExecute activity = WorkerQueue.check(operation, item);
    gate.run(operation, () -> tables.workerQueue().enqueue(activity));
  }

  @Override
  public Optional<LockedWork> fetchWorkItem(WorkFetch request) throws InterruptedException {
    return fetchWorkItems(request, 1).stream().findFirst();
  }

  @Override
  public List<LockedWork> fetchWorkItems(WorkFetch request, int max) throws InterruptedException {
    String operation = "fetchWorkItem";
    Refusal.checkLease(operation, request.lockTimeout());
    SessionFetchConfig session = request.session();
    if (session != null) {
      Refusal.checkLease(operation, session.lockTimeout());
    }
    boolean hopeless = max <= 0 || request.tags() instanceof TagFilter.None;
    WorkSearch search = new WorkSearch(tables.workerQueue(), tables.sessions(), request, max);
    return gate.enterWaiting(
        operation, () -> hopeless ? List.of() : workRoom.await(search, request.pollTimeout()));
  }

  @Override
  public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
    gate.run("ackWorkItem", () -> WorkAck.commit(tables, lockToken, completion));
  }

  @Override
  public Set<ShortCut> shortCuts() {
    return EnumSet.allOf(ShortCut.class);
  }

  @Override
  public void startNew(WorkItem.StartOrchestration start, Duration delay) {
    String operation = "startNew";
    OrchestratorQueue.check(operation, start);
    gate.run(
        operation,
        () -> {
          if (tables.instances().isKnown(start.instance())
              || tables.orchestratorQueue().hasStart(start.instance())) {
            throw ProviderException.alreadyExists(operation, start.instance());
          }
          tables.orchestratorQueue().enqueue(start, delay);
        });
  }

  @Override
  public void renewWorkItemLock(String lockToken, Duration extendFor) {
    gate.run("renewWorkItemLock", () -> tables.renewWork(lockToken, extendFor));
  }

  @Override
  public List<RenewalAnswer> renewLocks(List<LockRenewal> renewals) {
    return gate.enter("renewLocks", () -> renewals.stream().map(this::renewed).toList());
  }

  private RenewalAnswer renewed(LockRenewal renewal) {
    try {
      switch (renewal.kind()) {
        case INSTANCE -> tables.orchestratorQueue().renew(renewal.lockToken(), renewal.extendFor());
        case ACTIVITY -> tables.renewWork(renewal.lockToken(), renewal.extendFor());
      }
      return RenewalAnswer.RENEWED;
    } catch (ProviderException refusal) {
      return RenewalAnswer.refused(refusal);
    }
  }

  @Override
  public void abandonWorkItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    gate.run(
        "abandonWorkItem", () -> tables.workerQueue().abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public int renewSessionLock(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    return gate.enter(
        "renewSessionLock", () -> tables.sessions().renew(owners, extendFor, idleTimeout));
  }

  @Override
  public int cleanupOrphanedSessions(Duration idleTimeout) {
    return gate.enter(
        "cleanupOrphanedSessions",
        () -> tables.sessions().cleanup(tables.workerQueue().sessionIds()));
  }

  @Override
  public List<Event> read(String instance) {
    return gate.enter("read", () -> reads.latestHistory("read", instance));
  }

  @Override
  public List<Event> readWithExecution(ExecutionKey execution) {
    String operation = "readWithExecution";
    return gate.enter(operation, () -> reads.history(operation, execution));
  }

  @Override
  public Optional<Event> readLast(String instance) {
    return gate.enter("readLast", () -> reads.lastEvent("readLast", instance));
  }

  @Override
  public void appendWithExecution(ExecutionKey execution, List<Event> events) {
    String operation = "appendWithExecution";
    gate.run(
        operation,
        () -> {
          Execution stored = tables.instances().execution(execution).orElse(null);
          Execution.check(operation, execution, stored, events);
          tables
              .instances()
              .findOrNew(execution.instance(), tables.now())
              .executionOrNew(execution.executionId(), tables.now())
              .append(events);
          tables.orchestratorQueue().contextChanged(execution.instance());
        });
  }

  @Override
  public Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return gate.enter("customStatus", () -> reads.customStatus(instance, lastSeenVersion));
  }

  @Override
  public Optional<String> kvValue(String instance, String key) {
    return gate.enter(
        "kvValue", () -> tables.instances().find(instance).flatMap(known -> known.kv().value(key)));
  }

  @Override
  public Map<String, String> kvAllValues(String instance) {
    return gate.enter("kvAllValues", () -> reads.kvValues(instance));
  }

  @Override
  public Optional<InstanceStats> instanceStats(String instance) {
    return gate.enter("instanceStats", () -> reads.stats(instance));
  }

  @Override
  public Optional<InstanceStatus> status(String instance) {
    return gate.enter("status", () -> reads.status(instance));
  }

  @Override
  public LocalBus localBus() {
    return bus;
  }

  @Override
  public int purgeOrphanMessages(Duration olderThan) {
    return gate.enter(
        "purgeOrphanMessages", () -> tables.orchestratorQueue().purgeOrphans(olderThan));
  }

  @Override
  public long takeDropped() {
    return gate.enter("takeDropped", () -> tables.orchestratorQueue().takeDropped());
  }

  @Override
  public void announce(String node, NodeOffer offer, Duration validFor) {
    gate.run("announce", () -> nodes.announce(node, offer, validFor));
  }

  @Override
  public Optional<ClockStep> lookAtClock() {
    return gate.enter("lookAtClock", steps::newest);
  }

  @Override
  public Optional<ProviderAdmin> management() {
    return Optional.of(admin);
  }

  /** Damages this store, for tests. */
  Faults faults() {
    return new Faults(gate, tables);
  }

  @Override
  public void close() {
    gate.always(() -> {
      gate.close();
      wakeEveryone();
    });
  }

  private void wakeEveryone() {
    turnRoom.wakeAll();
    workRoom.wakeAll();
  }
}
