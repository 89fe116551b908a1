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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Durable storage with two peek-lock queues.
 *
 * <p>A provider stores, orders, locks, hides and commits; it never decides what happens next in a
 * workflow. Execution ids, event ids, fire times and statuses come from the runtime and are stored
 * as given. The provider makes only lock tokens, queue positions and its own bookkeeping times.
 *
 * <p><b>Locks.</b> (L1) An item returned means the caller holds its lock and must ack, abandon or
 * let it expire; an empty result means no lock; an exception means no lock and no attempt counted.
 * (L2) A token is unguessable, made by each successful fetch and never reused; tokens of the two
 * queues are not interchangeable. (L3) A lock is valid while its end lies after the store's now;
 * renewing sets the end to now plus the extension and never revives an expired lock. (L4) Ack and
 * renew need a valid lock; abandon also accepts an expired one that nobody took over. Everything
 * else is {@link ProviderException.Kind#LOCK_LOST}; nothing is idempotent on tokens. (L5) The
 * instance lock blocks fetching any message of that instance, and nothing else. (L6) Checking a
 * token and acting on it are one atomic step.
 *
 * <p><b>Delivery.</b> (Q1) A message is visible once its time has come on the store's clock. (Q2) A
 * batch is the visible messages of one instance as {@link DeliveryOrder} and {@link BatchBound}
 * have it, and a commit consumes exactly what was delivered; later arrivals survive the ack. (Q3)
 * Attempts are counted by the fetch and kept across abandon, expiry and restart. (Q4) Nothing that
 * cannot be served now keeps anything else from being served. (Q5) An empty result means that no
 * eligible work existed.
 *
 * <p>All durations have millisecond precision; {@link Duration#ZERO} means none. Payloads come back
 * as they were given. Implementations are thread-safe.
 */
public interface Provider extends AutoCloseable {

  /** The store's name for logs. */
  default String name() {
    return "unknown";
  }

  /** The provider's version for logs. */
  default String version() {
    return "0.0.0";
  }

  /** The store's clock; every stored instant is compared with it. */
  Instant now();

  /**
   * Queues a message for an instance, known or not, visible after {@code delay}; a timer not before
   * its fire time. An {@link WorkItem.ActivityExecute} is refused.
   */
  void enqueueForOrchestrator(WorkItem item, Duration delay);

  /**
   * Queues messages in order, visible at once. A store with transactions queues all or none; the
   * default queues one after the other.
   */
  default void enqueueForOrchestrator(List<WorkItem> items) {
    items.forEach(item -> enqueueForOrchestrator(item, Duration.ZERO));
  }

  /**
   * Queues what a client sends, if the instance can take it. The decision and the inserts are one
   * step, which also excludes commits: whatever is accepted was there before the commit that ends
   * the execution, or came with the start that follows it.
   *
   * <p><b>Messages alone.</b> They are accepted if the instance is there and has not ended, or has
   * a start queued, visible or delayed. If it has ended, the answer says so. If nobody knows it,
   * they are accepted with {@link OrphanQueuePolicy#HOLD}, and refused otherwise.
   *
   * <p><b>With a start.</b> If nobody knows the instance and no start of it is queued, all of it is
   * queued; the messages are visible at once and wait for the start. Otherwise the rule decides. An
   * instance that has ended begins its next execution in this step, if the rule says so: from now
   * on that execution is the current one and runs, without events, and readers see it. Starts that
   * are queued for it and that no parent waits for are removed: they found the instance. It has no
   * parent any more, its custom status is cleared, which is a change if there was one, and its
   * values stay. The start and the messages are visible at once; with a delay the whole instance
   * rests until it is over, and whoever held its lock has lost it. The batch with the start comes
   * whole, and until its first commit the execution needs the handler that its start names.
   *
   * <p>A store that repeats a call by itself recognises what it has done. The default checks what
   * it can see by {@link #status}, not in one step, and restarts nothing.
   */
  default SendAnswer send(Sending sending) {
    return new PlainSends(this).send(sending);
  }

  /** Locks the oldest ready instance that passes the filter and returns its batch. */
  Optional<LockedOrchestration> fetchOrchestrationItem(OrchestrationFetch request)
      throws InterruptedException;

  /**
   * Locks up to {@code max} ready instances, waiting only for the first. The default fetches one.
   */
  default List<LockedOrchestration> fetchOrchestrationItems(OrchestrationFetch request, int max)
      throws InterruptedException {
    return max <= 0 ? List.of() : fetchOrchestrationItem(request).stream().toList();
  }

  /**
   * Commits a turn: its events, messages, activities, cancellations, status, custom status and KV
   * changes, and what its source brings along; all or nothing. A prune that it asks for happens in
   * the same step, counting its execution as the current one; if the prune fails, the rest is
   * committed and the answer says why. The claimed activities come back locked, as if the caller
   * had fetched each for the first time; an activity that does not come back is in the queue.
   *
   * <p><b>Fetched.</b> The batch is consumed and the lock released. The answer is empty only if the
   * commit demands a mailbox to be empty ({@link InstanceRules}) and a visible message for it is
   * not part of the batch; the lock is still held then. Of a message that {@link #send} accepts and
   * such a commit one is refused, whichever comes second.
   *
   * <p><b>After an activity.</b> The activity is removed. This stands for queueing the outcome,
   * fetching the instance and committing its turn, and leaves the store as these would. It is done
   * only if they would have met no one else: the execution is current and has no event behind the
   * tip, the instance is neither locked nor resting, none of its messages is visible and may be
   * delivered, and no mailbox that must be empty has one.
   *
   * <p><b>A new instance.</b> This stands for queueing the start, fetching the instance and
   * committing its turn, and leaves the store as these would. It is done only if they would have
   * met no one else: the store has neither an instance of that id nor anything queued for it.
   *
   * <p>What is not done changes nothing, and the answer is empty. A store says by {@link
   * #shortCuts} which of the two it takes; it may claim nothing and take neither.
   */
  Optional<CommittedTurn> commitTurn(TurnSource source, TurnCommit commit, WorkClaim claim);

  /**
   * Releases an instance without committing. With a delay the whole instance rests until it is
   * over; without, visibility stays as it was.
   *
   * @param ignoreAttempt takes back the attempt this fetch counted
   */
  void abandonOrchestrationItem(String lockToken, Duration delay, boolean ignoreAttempt);

  /** Sets the end of the instance lock to now plus {@code extendFor}. */
  void renewOrchestrationItemLock(String lockToken, Duration extendFor);

  /** Queues an activity; any other kind is refused. */
  void enqueueForWorker(WorkItem item);

  /** Locks the oldest activity this worker may run. */
  Optional<LockedWork> fetchWorkItem(WorkFetch request) throws InterruptedException;

  /** Locks up to {@code max} activities, waiting only for the first. The default fetches one. */
  default List<LockedWork> fetchWorkItems(WorkFetch request, int max) throws InterruptedException {
    return max <= 0 ? List.of() : fetchWorkItem(request).stream().toList();
  }

  /**
   * Removes an activity and, in the same step, queues its outcome for its orchestration.
   *
   * @param completion an activity outcome, or null to report nothing
   */
  void ackWorkItem(String lockToken, @Nullable WorkItem completion);

  /**
   * The short cuts that this store takes. A node runs no code for one that the store does not take:
   * it would run in vain. The default takes none.
   */
  default Set<ShortCut> shortCuts() {
    return Set.of();
  }

  /**
   * Queues the start of an instance that does not exist yet, visible after {@code delay}.
   *
   * <p>Whether it exists is decided by the step that queues it: of any number of callers, in any
   * number of processes, one is accepted, and the others are refused with {@link
   * ProviderException.Kind#ALREADY_EXISTS} and change nothing. A start that is queued counts as an
   * instance, other messages do not. A call that fails in another way was done once or not at all;
   * a store that repeats it by itself recognises its own start. The default refuses.
   */
  default void startNew(WorkItem.StartOrchestration start, Duration delay) {
    throw ProviderException.notOffered("startNew");
  }

  /**
   * Sets the end of the activity's lock to now plus {@code extendFor}. {@code LOCK_LOST} is how a
   * worker learns that its activity was cancelled.
   */
  void renewWorkItemLock(String lockToken, Duration extendFor);

  /**
   * Renews locks of instances and activities together; one answer for each, in the order given. The
   * refusal of one is its answer and concerns no other. It waits for no row: a lock whose row a
   * commit or a sender has at the moment is answered as {@link RenewalAnswer#IN_USE} and counts as
   * held. The default renews one after the other.
   */
  default List<RenewalAnswer> renewLocks(List<LockRenewal> renewals) {
    return renewals.stream().map(renewal -> renewal.alone(this)).toList();
  }

  /** Releases an activity without completing it; it is visible again after {@code delay}. */
  void abandonWorkItem(String lockToken, Duration delay, boolean ignoreAttempt);

  /**
   * Extends the session leases of {@code owners} that are still valid and were used within {@code
   * idleTimeout}; returns how many.
   */
  int renewSessionLock(Collection<String> owners, Duration extendFor, Duration idleTimeout);

  /** Removes expired sessions that no queued activity refers to; returns how many. */
  int cleanupOrphanedSessions(Duration idleTimeout);

  /** All events of the latest execution; empty for an unknown instance. */
  List<Event> read(String instance);

  /** All events of one execution; empty for an unknown one. */
  List<Event> readWithExecution(ExecutionKey execution);

  /** The newest event of the latest execution. */
  default Optional<Event> readLast(String instance) {
    List<Event> events = read(instance);
    return events.isEmpty() ? Optional.empty() : Optional.of(events.getLast());
  }

  /** Appends events outside a turn: a test and repair aid. All or none. */
  void appendWithExecution(ExecutionKey execution, List<Event> events);

  /** The custom status if it changed after {@code lastSeenVersion}. */
  Optional<CustomStatus> customStatus(String instance, long lastSeenVersion);

  /** The committed value of a key, whichever execution wrote it. */
  Optional<String> kvValue(String instance, String key);

  /** All committed values, from one consistent snapshot, in key order. */
  Map<String, String> kvAllValues(String instance);

  /** Size figures of the current execution. */
  Optional<InstanceStats> instanceStats(String instance);

  /** The state of an instance in one look-up. */
  Optional<InstanceStatus> status(String instance);

  /**
   * What nodes and clients of this process tell each other about this store: one bus for its whole
   * life. By default they tell each other nothing.
   */
  default LocalBus localBus() {
    return new LocalBus();
  }

  /**
   * Removes messages older than {@code olderThan} whose instance neither exists nor has a start
   * queued; returns how many.
   */
  default int purgeOrphanMessages(Duration olderThan) {
    return 0;
  }

  /**
   * How many queue messages fetches of this process have dropped since the last call, because their
   * instance neither existed nor had a start queued. The default does not know.
   */
  default long takeDropped() {
    return 0;
  }

  /**
   * Notes that a node lives and what it can run, so that operators can be told what nobody can run.
   * Nothing is decided by it. The default notes nothing.
   *
   * @param validFor how long this counts unless it is repeated; zero or less withdraws it
   */
  default void announce(String node, NodeOffer offer, Duration validFor) {}

  /**
   * Looks at the store's clock, as the store does by itself when it is opened. If the clock was set
   * back, what was visible stays visible, in its order; locks, leases and rests last as long as
   * they would have; timers and delayed messages keep their instants. Returns the last step that
   * this handle knows of. A store that notices steps by itself, or never, need not look; the
   * default does not.
   */
  default Optional<ClockStep> lookAtClock() {
    return Optional.empty();
  }

  /** Whether the store can do its work; asks nothing of the database. The default is sound. */
  default StoreHealth health() {
    return StoreHealth.SOUND;
  }

  /** The management operations, where the store offers them. */
  default Optional<ProviderAdmin> management() {
    return Optional.empty();
  }

  /** Wakes waiting fetches and releases resources; later calls fail retryable. Idempotent. */
  @Override
  void close();
}
