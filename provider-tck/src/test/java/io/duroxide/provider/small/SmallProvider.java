package io.duroxide.provider.small;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TextChecks;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.small.SmallTurnQueue.Lock;
import io.duroxide.provider.small.SmallTurnQueue.Message;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A provider with the required methods alone.
 *
 * <p>Each operation is one step under one lock: it refuses before it changes anything. Fetches wait
 * for the next change, and look again every ten milliseconds for what comes with time. Thread-safe.
 */
public final class SmallProvider implements Provider {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final String UNKNOWN = "unknown";

  private final SmallClock clock;
  private final ReentrantLock gate = new ReentrantLock();
  private final Condition changed = gate.newCondition();
  private final Map<String, SmallInstance> instances = new HashMap<>();
  private final SmallTurnQueue turns;
  private final SmallWorkQueue work;
  private boolean isClosed;

  public SmallProvider(InstantSource source) {
    this.clock = new SmallClock(source);
    this.turns = new SmallTurnQueue(clock);
    this.work = new SmallWorkQueue(clock);
  }

  /** One operation of an open store; whoever waits looks again after it. */
  private <T> T step(String operation, Supplier<T> body) {
    gate.lock();
    try {
      if (isClosed) {
        throw new ProviderException(
            ProviderException.Kind.UNAVAILABLE, operation, "the store was closed");
      }
      clock.look();
      changed.signalAll();
      return body.get();
    } finally {
      gate.unlock();
    }
  }

  private void run(String operation, Runnable body) {
    step(
        operation,
        () -> {
          body.run();
          return operation;
        });
  }

  /** Repeats a search until it finds something, the patience is over or the store closes. */
  private <T> Optional<T> await(String operation, Duration patience, Supplier<Optional<T>> search)
      throws InterruptedException {
    gate.lock();
    try {
      Optional<T> found = step(operation, search);
      long left = TimeUnit.NANOSECONDS.convert(patience);
      while (found.isEmpty() && left > 0 && !isClosed) {
        long slice = Math.min(left, LOOK_NANOS);
        left -= slice - changed.awaitNanos(slice);
        clock.look();
        found = isClosed ? found : search.get();
      }
      return found;
    } finally {
      gate.unlock();
    }
  }

  @Override
  public Instant now() {
    return clock.reading();
  }

  // The orchestrator queue

  @Override
  public void enqueueForOrchestrator(WorkItem item, Duration delay) {
    SmallTurnQueue.check("enqueueForOrchestrator", item);
    run("enqueueForOrchestrator", () -> turns.add(item, delay));
  }

  @Override
  public Optional<LockedOrchestration> fetchOrchestrationItem(OrchestrationFetch request)
      throws InterruptedException {
    SmallRefusals.checkLease("fetchOrchestrationItem", request.lockTimeout());
    return await("fetchOrchestrationItem", request.pollTimeout(), () -> search(request));
  }

  private Optional<LockedOrchestration> search(OrchestrationFetch request) {
    for (String instance : turns.ready()) {
      List<Message> visible = turns.visible(instance);
      boolean hasContext =
          instances.containsKey(instance) || first(visible, WorkItem.StartLike.class).isPresent();
      if (hasContext && passes(request.filter(), instance, visible)) {
        return Optional.of(lock(instance, visible, request.lockTimeout()));
      }
      if (!hasContext) {
        turns.meetOrphans(instance, request.orphans());
      }
    }
    return Optional.empty();
  }

  private static <T> Optional<T> first(List<Message> messages, Class<T> kind) {
    return messages.stream()
        .map(message -> message.item)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst();
  }

  private Optional<SmallInstance> find(String instance) {
    return Optional.ofNullable(instances.get(instance));
  }

  /** Whether the node can replay the execution and has the code for its next turn. */
  private boolean passes(
      @Nullable DispatcherCapabilityFilter filter, String id, List<Message> visible) {
    if (filter == null) {
      return true;
    }
    Optional<SmallInstance> instance = find(id);
    if (!filter.admitsPin(instance.map(SmallInstance::pin).orElse(null))) {
      return false;
    }
    var next = first(visible, WorkItem.ContinueAsNew.class);
    if (next.isPresent()) {
      return filter.admitsHandler(next.get().orchestration(), next.get().version());
    }
    if (instance.filter(SmallInstance::hasEnded).isPresent()) {
      return true;
    }
    return instance
        .flatMap(SmallInstance::recorded)
        .map(known -> filter.admitsHandler(known.name(), known.version()))
        .or(() ->
            first(visible, WorkItem.StartOrchestration.class)
                .map(start -> filter.admitsHandler(start.orchestration(), start.version())))
        .orElse(true);
  }

  private LockedOrchestration lock(String id, List<Message> visible, Duration lockTimeout) {
    Lock lock = turns.take(id, lockTimeout, visible);
    Optional<SmallInstance> instance = find(id);
    OrchestrationIdentity identity =
        instance
            .flatMap(SmallInstance::recorded)
            .or(() -> first(lock.batch(), WorkItem.StartLike.class).map(SmallProvider::announced))
            .orElse(new OrchestrationIdentity(UNKNOWN, UNKNOWN));
    OrchestrationItem item =
        new OrchestrationItem(
            new ExecutionKey(id, instance.map(SmallInstance::currentId).orElse(ExecutionKey.FIRST)),
            identity.name(),
            identity.version(),
            instance.map(SmallInstance::history).orElse(StoredHistory.of(List.of())),
            new MessageBatch(lock.batch().stream().map(message -> message.item).toList(), null));
    int attempts = lock.batch().stream().mapToInt(message -> message.attempts).max().orElse(0);
    return new LockedOrchestration(item, lock.token(), attempts);
  }

  private static OrchestrationIdentity announced(WorkItem.StartLike start) {
    String version = start.version();
    return new OrchestrationIdentity(start.orchestration(), version == null ? UNKNOWN : version);
  }

  @Override
  public Optional<CommittedTurn> commitTurn(TurnSource source, TurnCommit commit, WorkClaim claim) {
    return step(
        "commitTurn",
        () ->
            source instanceof TurnSource.Fetched fetched
                ? commit(turns.valid("commitTurn", fetched.lockToken()), commit)
                : Optional.empty());
  }

  private Optional<CommittedTurn> commit(Lock lock, TurnCommit commit) {
    String instance = lock.instance();
    commit.workerItems().forEach(item -> SmallWorkQueue.check("commitTurn", item));
    commit.orchestratorItems().forEach(item -> SmallTurnQueue.check("commitTurn", item));
    TextChecks.check("commitTurn", commit);
    SmallRefusals.checkIds("commitTurn", commit.historyDelta());
    if (turns.hasOtherMail(lock, commit.mustBeEmpty())) {
      return Optional.empty();
    }
    SmallInstance rows = find(instance).orElseGet(SmallInstance::new);
    rows.checkNew("commitTurn", commit.executionId(), commit.historyDelta());
    rows.apply(commit, clock.now());
    instances.put(instance, rows);
    commit.workerItems().forEach(item -> work.add(SmallWorkQueue.check("commitTurn", item)));
    work.cancel(commit.cancelled(), instance, commit.executionId());
    commit.orchestratorItems().forEach(turns::send);
    turns.consume(lock);
    PruneOutcome prune =
        commit.prune() == null ? null : PruneOutcome.failed("this store does not prune");
    return Optional.of(new CommittedTurn(lock.token(), prune, List.of()));
  }

  @Override
  public void abandonOrchestrationItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    run("abandonOrchestrationItem", () -> turns.abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
    run("renewOrchestrationItemLock", () -> turns.renew(lockToken, extendFor));
  }

  // The worker queue

  @Override
  public void enqueueForWorker(WorkItem item) {
    WorkItem.ActivityExecute activity = SmallWorkQueue.check("enqueueForWorker", item);
    run("enqueueForWorker", () -> work.add(activity));
  }

  @Override
  public Optional<LockedWork> fetchWorkItem(WorkFetch request) throws InterruptedException {
    SmallRefusals.checkLease("fetchWorkItem", request.lockTimeout());
    SessionFetchConfig session = request.session();
    if (session != null) {
      SmallRefusals.checkLease("fetchWorkItem", session.lockTimeout());
    }
    return await("fetchWorkItem", request.pollTimeout(), () -> work.take(request));
  }

  @Override
  public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
    boolean isOutcome =
        completion == null
            || completion instanceof WorkItem.ActivityCompleted
            || completion instanceof WorkItem.ActivityFailed;
    if (!isOutcome) {
      throw SmallRefusals.invalid("ackWorkItem", "not the outcome of an activity: " + completion);
    }
    run(
        "ackWorkItem",
        () -> {
          work.remove(lockToken);
          if (completion != null) {
            turns.send(completion);
          }
        });
  }

  @Override
  public void renewWorkItemLock(String lockToken, Duration extendFor) {
    run("renewWorkItemLock", () -> work.renew(lockToken, extendFor));
  }

  @Override
  public void abandonWorkItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    run("abandonWorkItem", () -> work.abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public int renewSessionLock(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    return step("renewSessionLock", () -> work.renewSessions(owners, extendFor, idleTimeout));
  }

  @Override
  public int cleanupOrphanedSessions(Duration idleTimeout) {
    return step("cleanupOrphanedSessions", work::removeEndedSessions);
  }

  // Reading

  @Override
  public List<Event> read(String instance) {
    return step("read", () -> find(instance).map(SmallInstance::newestEvents).orElse(List.of()));
  }

  @Override
  public List<Event> readWithExecution(ExecutionKey key) {
    return step(
        "readWithExecution",
        () -> find(key.instance()).map(known -> known.events(key.executionId())).orElse(List.of()));
  }

  @Override
  public void appendWithExecution(ExecutionKey key, List<Event> events) {
    SmallRefusals.checkIds("appendWithExecution", events);
    run(
        "appendWithExecution",
        () -> {
          SmallInstance rows = find(key.instance()).orElseGet(SmallInstance::new);
          rows.checkNew("appendWithExecution", key.executionId(), events);
          rows.append(key.executionId(), events);
          instances.put(key.instance(), rows);
        });
  }

  private <T> Optional<T> ofExisting(
      String operation, String instance, Function<SmallInstance, T> read) {
    return step(operation, () -> find(instance).filter(SmallInstance::exists).map(read));
  }

  @Override
  public Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return ofExisting("customStatus", instance, SmallInstance::customStatus)
        .filter(status -> status.version() > lastSeenVersion);
  }

  @Override
  public Optional<String> kvValue(String instance, String key) {
    return Optional.ofNullable(kvAllValues(instance).get(key));
  }

  @Override
  public Map<String, String> kvAllValues(String instance) {
    return step("kvAllValues", () -> find(instance).map(SmallInstance::texts).orElse(Map.of()));
  }

  @Override
  public Optional<InstanceStats> instanceStats(String instance) {
    return ofExisting("instanceStats", instance, SmallInstance::stats);
  }

  @Override
  public Optional<InstanceStatus> status(String instance) {
    return ofExisting("status", instance, SmallInstance::status);
  }

  @Override
  public void close() {
    gate.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      gate.unlock();
    }
  }
}
