package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.NodeOffer;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ClockStep;
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
import io.duroxide.provider.StoreHealth;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.SystemTime;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps everything in a schema of a PostgreSQL database.
 *
 * <p>Any number of processes may share a schema, and any number of schemas a database. Time is the
 * server's, so the clocks of the nodes do not matter. Operations that change something are run by a
 * few threads, each of which runs many of them in one transaction; each is atomic by itself and
 * reported once the server has committed it. An operation whose connection breaks is repeated on
 * another, and is never done twice.
 *
 * <p>No extension and no superuser is needed: a user that may create the schema, or one that owns
 * it. Thread-safe.
 */
public final class PostgresProvider implements Provider {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");

  private final Pool pool;
  private final Store store;
  private final Rooms rooms;
  private final Lanes lanes;
  private final Renewals renewals;
  private final ClockLook clockLook;
  private final Reads reads;
  private final Turns turns;
  private final NewStarts newStarts;
  private final CheckedSends checkedSends;
  private final PostgresAdmin admin;
  private final Node node;
  private final LocalBus bus = new LocalBus();

  private PostgresProvider(
      Pool pool, PostgresOptions options, LongSupplier nanos, StoreThreads threads) {
    this.pool = pool;
    StoreClock clock = new StoreClock(options.clock(), nanos);
    Schema schema = Schema.named(options.schema());
    this.store = new Store(pool.source(), schema, clock, options, threads);
    this.rooms = Rooms.create(clock);
    this.node = Node.create(clock, new Tokens(LockTokens.random()));
    if (options.notifications()) {
      Herald herald = new Herald(store, node.id());
      rooms.channel().open(herald, new Listener(pool, store, herald, rooms, node.id()));
    }
    this.lanes = new Lanes(store, node, rooms, options.lanes());
    this.renewals = new Renewals(lanes);
    this.clockLook = new ClockLook(store, rooms);
    this.reads = new Reads(store);
    this.turns = new Turns(reads, lanes, node.tokens(), bus);
    this.newStarts = new NewStarts(store, rooms, node.tokens());
    this.checkedSends = new CheckedSends(store, rooms, node.tokens());
    this.admin = new PostgresAdmin(store, reads, rooms);
  }

  /** The store at {@code url}, such as {@code jdbc:postgresql://host/database?user=app}. */
  public static PostgresProvider open(String url) {
    return open(url, PostgresOptions.DEFAULT);
  }

  /** As {@link #open(String)}, with options. */
  public static PostgresProvider open(String url, PostgresOptions options) {
    StoreThreads threads = Store.newThreads(Schema.named(options.schema()));
    return opened(Pool.open(url, options), options, SystemTime.nanos(), threads);
  }

  /**
   * Whether there is a store at {@code url}, in the schema that the options name. Nothing is made,
   * and a server that cannot be reached is told at once.
   */
  public static boolean holdsStore(String url, PostgresOptions options) {
    Migrations migrations = new Migrations(Schema.named(options.schema()), options.migrations());
    try (Connection connection = Pool.server(url, options).getConnection()) {
      return migrations.isBegun(connection);
    } catch (SQLException failure) {
      throw Trouble.of("open", failure);
    }
  }

  /**
   * The store behind {@code source}, a pool that the caller has made and closes after the provider.
   * It lends a connection to each lane while it is busy, to each read, and one for as long as
   * fetches wait, if notifications are on.
   */
  public static PostgresProvider open(DataSource source, PostgresOptions options) {
    return open(source, options, SystemTime.nanos());
  }

  /** As {@link #open(DataSource, PostgresOptions)}, on a node whose clock is {@code nanos}. */
  static PostgresProvider open(DataSource source, PostgresOptions options, LongSupplier nanos) {
    return open(source, options, nanos, Store.newThreads(Schema.named(options.schema())));
  }

  /** As {@link #open(DataSource, PostgresOptions, LongSupplier)}, on these threads. */
  static PostgresProvider open(
      DataSource source, PostgresOptions options, LongSupplier nanos, StoreThreads threads) {
    return opened(Pool.of(source), options, nanos, threads);
  }

  private static PostgresProvider opened(
      Pool pool, PostgresOptions options, LongSupplier nanos, StoreThreads threads) {
    PostgresProvider provider = new PostgresProvider(pool, options, nanos, threads);
    try {
      pool.warnOfTimeout(options.waits().patience());
      new Opening(pool.direct(), options)
          .run(new Migrations(provider.store.schema(), options.migrations()));
    } catch (RuntimeException | Error failure) {
      provider.close();
      throw failure;
    }
    provider.start();
    return provider;
  }

  private void start() {
    try {
      clockLook.begin();
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
    lanes.start();
  }

  @Override
  public String name() {
    return "postgres";
  }

  /** The server's time as this process knows it; asks nobody. */
  @Override
  public Instant now() {
    return store.clock().instant();
  }

  /** To be called after moving the clock by hand, so that waiting fetches look again at once. */
  public void clockAdvanced() {
    try {
      followClock();
    } catch (ProviderException later) {
      LOG.debug("the next look at the clock follows it", later);
    }
    rooms.wakeAll();
  }

  /** Looks at the server's clock if it seems to be set back. */
  private void followClock() {
    if (store.clock().isSetBack()) {
      clockLook.look();
    }
  }

  @Override
  public void enqueueForOrchestrator(WorkItem item, Duration delay) {
    String operation = "enqueueForOrchestrator";
    lanes.call(new Send(operation, List.of(NewMessage.of(operation, item)), delay));
  }

  @Override
  public void enqueueForOrchestrator(List<WorkItem> items) {
    String operation = "enqueueForOrchestrator";
    List<NewMessage> messages = items.stream().map(item -> NewMessage.of(operation, item)).toList();
    if (messages.isEmpty()) {
      lanes.checkOpen(operation);
    } else {
      lanes.call(new Send(operation, messages, Duration.ZERO));
    }
  }

  @Override
  public Optional<LockedOrchestration> fetchOrchestrationItem(OrchestrationFetch request)
      throws InterruptedException {
    return fetchOrchestrationItems(request, 1).stream().findFirst();
  }

  @Override
  public List<LockedOrchestration> fetchOrchestrationItems(OrchestrationFetch request, int max)
      throws InterruptedException {
    Refusal.checkLease(FetchTurns.OPERATION, request.lockTimeout());
    lanes.checkOpen(FetchTurns.OPERATION);
    DispatcherCapabilityFilter filter = request.filter();
    if (max <= 0 || (filter != null && filter.supported().isEmpty())) {
      return List.of();
    }
    followClock();
    listenFor(request.pollTimeout());
    TurnWait wait = new TurnWait(lanes, rooms.turns(), request, max);
    return turns.read(rooms.turns().await(wait, request.pollTimeout()), request.cached());
  }

  /** A fetch that may wait shall hear of what others commit. */
  private void listenFor(Duration pollTimeout) {
    if (pollTimeout.isPositive()) {
      rooms.channel().awaited();
    }
  }

  @Override
  public Optional<CommittedTurn> commitTurn(TurnSource source, TurnCommit commit, WorkClaim claim) {
    return turns.commit(source, commit, claim);
  }

  @Override
  public void abandonOrchestrationItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    lanes.call(KeepTurn.abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
    renewals.renew(() -> KeepTurn.renew(lockToken, extendFor));
  }

  @Override
  public void enqueueForWorker(WorkItem item) {
    String operation = "enqueueForWorker";
    lanes.call(new SendWork(operation, NewWork.of(operation, item)));
  }

  @Override
  public Optional<LockedWork> fetchWorkItem(WorkFetch request) throws InterruptedException {
    return fetchWorkItems(request, 1).stream().findFirst();
  }

  @Override
  public List<LockedWork> fetchWorkItems(WorkFetch request, int max) throws InterruptedException {
    Refusal.checkLease(FetchWork.OPERATION, request.lockTimeout());
    SessionFetchConfig session = request.session();
    if (session != null) {
      Refusal.checkLease(FetchWork.OPERATION, session.lockTimeout());
    }
    lanes.checkOpen(FetchWork.OPERATION);
    if (max <= 0 || request.tags() instanceof TagFilter.None) {
      return List.of();
    }
    followClock();
    listenFor(request.pollTimeout());
    WorkWait wait = new WorkWait(lanes, rooms.work(), request, max);
    return rooms.work().await(wait, request.pollTimeout()).stream().map(RawWork::decoded).toList();
  }

  @Override
  public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
    lanes.call(new AckWork(lockToken, completion));
  }

  @Override
  public Set<ShortCut> shortCuts() {
    return EnumSet.allOf(ShortCut.class);
  }

  @Override
  public SendAnswer send(Sending sending) {
    return checkedSends.send(sending);
  }

  @Override
  public void startNew(WorkItem.StartOrchestration start, Duration delay) {
    newStarts.add(start, delay);
  }

  @Override
  public void renewWorkItemLock(String lockToken, Duration extendFor) {
    renewals.renew(() -> KeepWork.renew(lockToken, extendFor));
  }

  @Override
  public List<RenewalAnswer> renewLocks(List<LockRenewal> locks) {
    return renewals.renew(locks);
  }

  @Override
  public void abandonWorkItem(String lockToken, Duration delay, boolean ignoreAttempt) {
    lanes.call(KeepWork.abandon(lockToken, delay, ignoreAttempt));
  }

  @Override
  public int renewSessionLock(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    return new Sessions(store).renew(owners, extendFor, idleTimeout);
  }

  @Override
  public int cleanupOrphanedSessions(Duration idleTimeout) {
    return new Sessions(store).cleanUp();
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
    Append append = new Append(store.clock(), execution, events);
    store.change(Append.OPERATION, append::run);
    rooms.wakeForTurn();
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
    return new Orphans(store).purge(olderThan);
  }

  @Override
  public long takeDropped() {
    return node.dropped().getAndSet(0);
  }

  @Override
  public void announce(String name, NodeOffer offer, Duration validFor) {
    new Nodes(store).announce(name, offer, validFor);
  }

  @Override
  public Optional<ProviderAdmin> management() {
    return Optional.of(admin);
  }

  @Override
  public Optional<ClockStep> lookAtClock() {
    return clockLook.look();
  }

  @Override
  public StoreHealth health() {
    return store.threads().health(List.of());
  }

  /** Begins to hear of other nodes' work, as the first fetch that waits does. */
  void listen() {
    rooms.channel().awaited();
  }

  /** Whether it hears what it tells itself. */
  boolean hears() {
    return rooms.channel().hears();
  }

  /** The server's number for the connection that hears of other nodes' work; 0 if there is none. */
  int listeningBackend() throws SQLException {
    return rooms.channel().backend();
  }

  @Override
  public void close() {
    store.close();
    rooms.close();
    lanes.close();
    pool.close(store.threads());
  }
}
