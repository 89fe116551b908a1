package io.duroxide.provider;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.NodeOffer;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Any provider, with every storage operation reported to a listener, once for each call.
 *
 * <p>It changes nothing else. A fetch that may wait asks the inner provider twice: at once, which
 * is measured, and then for as long as it was told, which is not. Thread-safe.
 */
public final class InstrumentedProvider implements Provider {
  private final Provider inner;
  private final OperationRecorder recorder;

  public InstrumentedProvider(Provider inner, ProviderListener listener) {
    this(inner, listener, SystemTime.nanos());
  }

  /**
   * @param nanos measures durations
   */
  public InstrumentedProvider(Provider inner, ProviderListener listener, LongSupplier nanos) {
    this.inner = Objects.requireNonNull(inner, "inner");
    this.recorder = new OperationRecorder(listener, nanos);
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public String version() {
    return inner.version();
  }

  @Override
  public Instant now() {
    return inner.now();
  }

  @Override
  public void enqueueForOrchestrator(WorkItem item, Duration delay) {
    recorder.run("enqueueForOrchestrator", () -> inner.enqueueForOrchestrator(item, delay));
  }

  @Override
  public void enqueueForOrchestrator(List<WorkItem> items) {
    recorder.run("enqueueForOrchestrator", () -> inner.enqueueForOrchestrator(items));
  }

  @Override
  public SendAnswer send(Sending sending) {
    return recorder.answer("send", answer -> 1, () -> inner.send(sending));
  }

  @Override
  public Optional<LockedOrchestration> fetchOrchestrationItem(OrchestrationFetch request)
      throws InterruptedException {
    return recorder.fetch(
        "fetchOrchestrationItem",
        request.pollTimeout(),
        InstrumentedProvider::count,
        poll -> inner.fetchOrchestrationItem(waiting(request, poll)));
  }

  @Override
  public List<LockedOrchestration> fetchOrchestrationItems(OrchestrationFetch request, int max)
      throws InterruptedException {
    return recorder.fetch(
        "fetchOrchestrationItems",
        request.pollTimeout(),
        List::size,
        poll -> inner.fetchOrchestrationItems(waiting(request, poll), max));
  }

  @Override
  public Optional<CommittedTurn> commitTurn(TurnSource source, TurnCommit commit, WorkClaim claim) {
    return recorder.items(
        "commitTurn", InstrumentedProvider::count, () -> inner.commitTurn(source, commit, claim));
  }

  @Override
  public void abandonOrchestrationItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    recorder.run(
        "abandonOrchestrationItem",
        () -> inner.abandonOrchestrationItem(lockToken, delay, ignoreAttempt));
  }

  @Override
  public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
    recorder.run(
        "renewOrchestrationItemLock", () -> inner.renewOrchestrationItemLock(lockToken, extendFor));
  }

  @Override
  public void enqueueForWorker(WorkItem item) {
    recorder.run("enqueueForWorker", () -> inner.enqueueForWorker(item));
  }

  @Override
  public Optional<LockedWork> fetchWorkItem(WorkFetch request) throws InterruptedException {
    return recorder.fetch(
        "fetchWorkItem",
        request.pollTimeout(),
        InstrumentedProvider::count,
        poll -> inner.fetchWorkItem(waiting(request, poll)));
  }

  @Override
  public List<LockedWork> fetchWorkItems(WorkFetch request, int max) throws InterruptedException {
    return recorder.fetch(
        "fetchWorkItems",
        request.pollTimeout(),
        List::size,
        poll -> inner.fetchWorkItems(waiting(request, poll), max));
  }

  @Override
  public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
    recorder.run("ackWorkItem", () -> inner.ackWorkItem(lockToken, completion));
  }

  @Override
  public Set<ShortCut> shortCuts() {
    return inner.shortCuts();
  }

  @Override
  public void startNew(WorkItem.StartOrchestration start, Duration delay) {
    recorder.run("startNew", () -> inner.startNew(start, delay));
  }

  @Override
  public void renewWorkItemLock(String lockToken, Duration extendFor) {
    recorder.run("renewWorkItemLock", () -> inner.renewWorkItemLock(lockToken, extendFor));
  }

  @Override
  public List<RenewalAnswer> renewLocks(List<LockRenewal> renewals) {
    return recorder.items("renewLocks", List::size, () -> inner.renewLocks(renewals));
  }

  @Override
  public void abandonWorkItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    recorder.run("abandonWorkItem", () -> inner.abandonWorkItem(lockToken, delay, ignoreAttempt));
  }

  @Override
  public int renewSessionLock(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    return recorder.answer(
        "renewSessionLock",
        count -> count,
        () -> inner.renewSessionLock(owners, extendFor, idleTimeout));
  }

  @Override
  public int cleanupOrphanedSessions(Duration idleTimeout) {
    return recorder.answer(
        "cleanupOrphanedSessions",
        count -> count,
        () -> inner.cleanupOrphanedSessions(idleTimeout));
  }

  @Override
  public List<Event> read(String instance) {
    return recorder.items("read", List::size, () -> inner.read(instance));
  }

  @Override
  public List<Event> readWithExecution(ExecutionKey execution) {
    return recorder.items(
        "readWithExecution", List::size, () -> inner.readWithExecution(execution));
  }

  @Override
  public Optional<Event> readLast(String instance) {
    return recorder.items("readLast", InstrumentedProvider::count, () -> inner.readLast(instance));
  }

  @Override
  public void appendWithExecution(ExecutionKey execution, List<Event> events) {
    recorder.run("appendWithExecution", () -> inner.appendWithExecution(execution, events));
  }

  @Override
  public Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return recorder.items(
        "customStatus",
        InstrumentedProvider::count,
        () -> inner.customStatus(instance, lastSeenVersion));
  }

  @Override
  public Optional<String> kvValue(String instance, String key) {
    return recorder.items(
        "kvValue", InstrumentedProvider::count, () -> inner.kvValue(instance, key));
  }

  @Override
  public Map<String, String> kvAllValues(String instance) {
    return recorder.items("kvAllValues", Map::size, () -> inner.kvAllValues(instance));
  }

  @Override
  public Optional<InstanceStats> instanceStats(String instance) {
    return recorder.items(
        "instanceStats", InstrumentedProvider::count, () -> inner.instanceStats(instance));
  }

  @Override
  public Optional<InstanceStatus> status(String instance) {
    return recorder.items("status", InstrumentedProvider::count, () -> inner.status(instance));
  }

  @Override
  public LocalBus localBus() {
    return inner.localBus();
  }

  @Override
  public int purgeOrphanMessages(Duration olderThan) {
    return recorder.answer(
        "purgeOrphanMessages", count -> count, () -> inner.purgeOrphanMessages(olderThan));
  }

  @Override
  public long takeDropped() {
    return inner.takeDropped();
  }

  @Override
  public void announce(String node, NodeOffer offer, Duration validFor) {
    recorder.run("announce", () -> inner.announce(node, offer, validFor));
  }

  @Override
  public Optional<ClockStep> lookAtClock() {
    return inner.lookAtClock();
  }

  @Override
  public StoreHealth health() {
    return inner.health();
  }

  @Override
  public Optional<ProviderAdmin> management() {
    return inner.management().map(admin -> new InstrumentedAdmin(admin, recorder));
  }

  @Override
  public void close() {
    inner.close();
  }

  private static int count(Optional<?> found) {
    return found.isPresent() ? 1 : 0;
  }

  private static OrchestrationFetch waiting(OrchestrationFetch request, Duration pollTimeout) {
    return new OrchestrationFetch(
        request.lockTimeout(), pollTimeout, request.filter(), request.cached(), request.orphans());
  }

  private static WorkFetch waiting(WorkFetch request, Duration pollTimeout) {
    return new WorkFetch(
        request.lockTimeout(),
        pollTimeout,
        request.session(),
        request.tags(),
        request.activityNames());
  }
}
