package io.duroxide.provider.memory;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.NodeOffer;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommitWatchers;
import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LocalStarts;
import io.duroxide.provider.LockTokens;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.StartCommit;
import io.duroxide.provider.Starter;
import io.duroxide.provider.StepCommit;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps everything in memory: nothing survives the process.
 *
 * <p>Every operation is one step under one lock, and model objects are kept as they were given.
 * Fetches wait in real time; visibility, locks and leases follow the clock given to {@link
 * #create(InstantSource)}. Thread-safe.
 */
public final class MemoryProvider implements Provider {
  private final Gate gate = new Gate();
  private final WaitingRoom turnRoom;
  private final WaitingRoom workRoom;
  private final Tables tables;
  private final Reads reads;
  private final Nodes nodes;
  private final Admin admin;
  private final CommitWatchers watchers = new CommitWatchers();
  private final LocalStarts starts = new LocalStarts();

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
    return tables.now();
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
  public CommittedTurn ackOrchestrationItem(String lockToken, TurnCommit commit) {
    return ackOrchestrationItem(lockToken, commit, WorkClaim.NONE);
  }

  @Override
  public CommittedTurn ackOrchestrationItem(String lockToken, TurnCommit commit, WorkClaim claim) {
    TurnAck.Committed committed =
        gate.enter("ackOrchestrationItem", () -> TurnAck.commit(tables, lockToken, commit, claim));
    watchers.tell(committed.instance(), commit);
    return committed.turn();
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
  public Optional<CommittedStep> ackStep(String lockToken, StepCommit step) {
    Optional<CommittedStep> committed =
        gate.enter("ackStep", () -> TurnAck.commit(tables, lockToken, step));
    committed.ifPresent(any -> watchers.tell(step.execution().instance(), step.turn()));
    return committed;
  }

  @Override
  public void start(WorkItem.StartOrchestration start) {
    if (!starts.offer(start)) {
      enqueueForOrchestrator(start, Duration.ZERO);
    }
  }

  @Override
  public Subscription beginStarts(Starter starter) {
    return starts.add(starter);
  }

  @Override
  public Optional<CommittedStep> ackStart(StartCommit start) {
    Optional<CommittedStep> committed = gate.enter("ackStart", () -> TurnAck.commit(tables, start));
    committed.ifPresent(any -> watchers.tell(start.start().instance(), start.turn()));
    return committed;
  }

  @Override
  public void renewWorkItemLock(String lockToken, Duration extendFor) {
    gate.run(
        "renewWorkItemLock",
        () -> {
          Task task = tables.workerQueue().renew(lockToken, extendFor);
          tables.sessions().touch(task.lane().session());
        });
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
              .findOrNew(execution.instance(), now())
              .executionOrNew(execution.executionId(), now())
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
  public Subscription watch(String instance, Consumer<? super TurnCommit> listener) {
    return watchers.watch(instance, listener);
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
