package io.duroxide.provider.sqlite;

import io.duroxide.codec.NodeOfferCodec;
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
import io.duroxide.provider.RenewalAnswer;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.ShortCut;
import io.duroxide.provider.StoreHealth;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps everything in one SQLite file.
 *
 * <p>Operations that change something go through one connection: those that queue up are run by a
 * thread of its own, which commits many of them together, and a caller that finds nothing under way
 * writes by itself. Each is atomic by itself and reported once the file has it. Reads run beside
 * it. Several processes may share a file on a local disk: what one commits, fetches of another that
 * wait notice within 50 ms while things happen and within a second after a quiet time. An idle
 * process asks the file about once a second, and only while a fetch waits. Thread-safe.
 */
public final class SqliteProvider implements Provider {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");

  private final StoreThreads threads;
  private final OpenFile file;
  private final SqliteOptions options;
  private final Rooms rooms;
  private final Writer writer;
  private final Readers readers;
  private final Reads reads;
  private final SqliteAdmin admin;
  private final LocalBus bus = new LocalBus();
  private final ClockSteps clockSteps;
  private final AtomicLong dropped = new AtomicLong();

  SqliteProvider(Database database) {
    this(database, new StoreThreads("duroxide-sqlite", database.label(), LOG));
  }

  SqliteProvider(Database database, StoreThreads threads) {
    this.threads = threads;
    this.options = database.options();
    this.rooms = Rooms.create(options.clock());
    Tables tables = Tables.on(Tx.on(database), LockTokens.random());
    this.clockSteps = tables.tx().clockSteps();
    this.file = new OpenFile(database.file());
    database.checkSpace();
    this.writer = new Writer(database, tables, rooms, threads, file);
    this.readers =
        database.file() == null
            ? new WriterReaders(writer)
            : new FileReaders(database, threads, file);
    this.reads = new Reads(readers);
    this.admin = new SqliteAdmin(writer, readers, options.clock());
    writer.start();
  }

  /** The store in {@code file}, which is created if it is missing; its folder must exist. */
  public static SqliteProvider open(Path file) {
    return open(file, SqliteOptions.DEFAULT);
  }

  /** As {@link #open(Path)}, with options. */
  public static SqliteProvider open(Path file, SqliteOptions options) {
    return new SqliteProvider(Database.in(file, options));
  }

  /** An empty store that is gone once it is closed. */
  public static SqliteProvider inMemory() {
    return inMemory(SqliteOptions.DEFAULT);
  }

  /** As {@link #inMemory()}, with options. */
  public static SqliteProvider inMemory(SqliteOptions options) {
    return new SqliteProvider(Database.inMemory(options));
  }

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(StoreTime.now(options.clock()));
  }

  /** To be called after moving the clock by hand, so that waiting fetches look again at once. */
  public void clockAdvanced() {
    rooms.wakeAll();
  }

  @Override
  public void enqueueForOrchestrator(WorkItem item, Duration delay) {
    String operation = "enqueueForOrchestrator";
    NewMessage message = NewMessage.of(operation, item);
    writer.run(operation, tables -> tables.orchestratorQueue().enqueue(message, delay));
  }

  @Override
  public void enqueueForOrchestrator(List<WorkItem> items) {
    String operation = "enqueueForOrchestrator";
    List<NewMessage> messages = items.stream().map(item -> NewMessage.of(operation, item)).toList();
    writer.run(
        operation,
        tables -> {
          for (NewMessage message : messages) {
            tables.orchestratorQueue().enqueue(message, Duration.ZERO);
          }
        });
  }

  @Override
  public SendAnswer send(Sending sending) {
    return writer.call(CheckedSend.OPERATION, new CheckedSend(sending));
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
    writer.checkOpen(operation);
    DispatcherCapabilityFilter filter = request.filter();
    if (max <= 0 || (filter != null && filter.supported().isEmpty())) {
      return List.of();
    }
    TurnWait wait = new TurnWait(writer, rooms.turns(), request, max, dropped);
    return rooms.turns().await(wait, request.pollTimeout()).stream().map(RawTurn::decoded).toList();
  }

  @Override
  public Optional<CommittedTurn> commitTurn(TurnSource source, TurnCommit commit, WorkClaim claim) {
    Optional<TurnAck.Committed> committed =
        writer.call(Turn.OPERATION, new TurnAck(source, commit, claim));
    committed.ifPresent(done -> bus.committed(done.instance(), commit));
    return committed.map(TurnAck.Committed::turn);
  }

  @Override
  public void abandonOrchestrationItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    writer.move(
        "abandonOrchestrationItem",
        tables -> tables.orchestratorQueue().abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
    String operation = "renewOrchestrationItemLock";
    Refusal.checkLease(operation, extendFor);
    writer.move(operation, tables -> tables.orchestratorQueue().renew(lockToken, extendFor));
  }

  @Override
  public void enqueueForWorker(WorkItem item) {
    String operation = "enqueueForWorker";
    NewWork work = NewWork.of(operation, item);
    writer.run(operation, tables -> tables.workers().queue().enqueue(work));
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
    writer.checkOpen(operation);
    if (max <= 0 || request.tags() instanceof TagFilter.None) {
      return List.of();
    }
    WorkWait wait = new WorkWait(writer, rooms.work(), request, max);
    return rooms.work().await(wait, request.pollTimeout()).stream()
        .map(WorkSearch.RawWork::decoded)
        .toList();
  }

  @Override
  public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
    writer.call("ackWorkItem", new WorkAck(lockToken, completion));
  }

  @Override
  public Set<ShortCut> shortCuts() {
    return EnumSet.allOf(ShortCut.class);
  }

  @Override
  public void startNew(WorkItem.StartOrchestration start, Duration delay) {
    String operation = "startNew";
    NewMessage message = NewMessage.of(operation, start);
    writer.run(operation, tables -> tables.orchestratorQueue().enqueueNew(message, delay));
  }

  @Override
  public void renewWorkItemLock(String lockToken, Duration extendFor) {
    String operation = "renewWorkItemLock";
    Refusal.checkLease(operation, extendFor);
    writer.move(operation, tables -> tables.workers().renew(lockToken, extendFor));
  }

  @Override
  public List<RenewalAnswer> renewLocks(List<LockRenewal> renewals) {
    return writer.lease(Renewals.OPERATION, new Renewals(renewals));
  }

  @Override
  public void abandonWorkItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    writer.move(
        "abandonWorkItem",
        tables -> tables.workers().queue().abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public int renewSessionLock(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    List<String> wanted = List.copyOf(owners);
    return writer.call(
        "renewSessionLock",
        tables -> tables.workers().sessions().renew(wanted, extendFor, idleTimeout));
  }

  @Override
  public int cleanupOrphanedSessions(Duration idleTimeout) {
    return writer.call(
        "cleanupOrphanedSessions",
        tables -> {
          int removed = tables.workers().sessions().cleanUp();
          tables.workers().lanes().sweep();
          return removed;
        });
  }

  @Override
  public List<Event> read(String instance) {
    return reads.latestHistory("read", instance);
  }

  @Override
  public List<Event> readWithExecution(ExecutionKey execution) {
    return reads.history("readWithExecution", execution);
  }

  @Override
  public Optional<Event> readLast(String instance) {
    return reads.lastEvent("readLast", instance);
  }

  @Override
  public void appendWithExecution(ExecutionKey execution, List<Event> events) {
    writer.call(Append.OPERATION, new Append(execution, events));
  }

  @Override
  public Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return reads.customStatus(instance, lastSeenVersion);
  }

  @Override
  public Optional<String> kvValue(String instance, String key) {
    return reads.value(instance, key);
  }

  @Override
  public Map<String, String> kvAllValues(String instance) {
    return reads.values(instance);
  }

  @Override
  public Optional<InstanceStats> instanceStats(String instance) {
    return reads.stats(instance);
  }

  @Override
  public Optional<InstanceStatus> status(String instance) {
    return reads.status(instance);
  }

  @Override
  public LocalBus localBus() {
    return bus;
  }

  @Override
  public int purgeOrphanMessages(Duration olderThan) {
    return writer.call(
        "purgeOrphanMessages", tables -> tables.orchestratorQueue().purgeOrphans(olderThan));
  }

  @Override
  public long takeDropped() {
    return dropped.getAndSet(0);
  }

  @Override
  public void announce(String node, NodeOffer offer, Duration validFor) {
    String text = NodeOfferCodec.encode(offer);
    writer.run(
        "announce",
        tables -> {
          long now = tables.tx().now();
          new Nodes(tables.tx().sql()).save(node, text, StoreTime.after(now, validFor), now);
        });
  }

  @Override
  public Optional<ProviderAdmin> management() {
    return Optional.of(admin);
  }

  /** Every command looks at the clock first. */
  @Override
  public Optional<ClockStep> lookAtClock() {
    writer.move("lookAtClock", tables -> {});
    return clockSteps.newest();
  }

  @Override
  public StoreHealth health() {
    return threads.health(file.complaints());
  }

  /** Looks at once whether the file is still there, as is done every second. */
  void lookAtFile() {
    file.look();
  }

  @Override
  public void close() {
    threads.close();
    rooms.close();
    readers.close();
    writer.close();
  }
}
