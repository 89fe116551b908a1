package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.tck.JdbcShortage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

@DisplayName("Memory that is short")
class ShortageTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Predicate<Thread> caller = Thread.currentThread()::equals;
  private final Folder folder = Folder.create();
  private final Shortage shortage = new Shortage();
  private final List<Long> pauses = new ArrayList<>();
  private final SqliteOptions options =
      SqliteOptions.DEFAULT
          .withDurability(Durability.NORMAL)
          .withClock(shortage.on(new TestClock()))
          .withGroupSize(2);
  private final Database inFile =
      new Database(folder.file(), options, shortage.on(Connections.toFile(folder.file(), options)));
  private final Database inMemory =
      new Database(null, options, shortage.on(Connections.toMemory(options)));
  private SqliteProvider store = open(inFile, pauses::add);

  private static SqliteProvider open(Database database, LongConsumer pause) {
    return new SqliteProvider(
        database,
        new StoreThreads(
            "duroxide-sqlite", "test", LoggerFactory.getLogger(ShortageTest.class), pause));
  }

  @AfterEach
  void close() {
    store.close();
    folder.close();
  }

  private static Predicate<Thread> isNamed(String role) {
    return thread -> thread.getName().startsWith("duroxide-sqlite-" + role);
  }

  private static WorkItem start(String instance) {
    return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null);
  }

  private static Event event(String instance, long id, EventKind kind) {
    return new Event(
        new ExecutionKey(instance, 1), id, null, new EventStamp(Instant.EPOCH, "1.0.0"), kind);
  }

  private static final EventKind STARTED =
      new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, Inheritance.NOTHING);

  /** Begins the instance, and asks for one activity. */
  private static TurnCommit firstTurn(String instance) {
    return TurnCommit.events(
            1,
            List.of(
                event(instance, 1, STARTED),
                event(instance, 2, new EventKind.ActivityScheduled("Pack", "{}", null, null)),
                event(instance, 3, new EventKind.KeyValueSet("k", "v", Instant.EPOCH))),
            ExecutionMetadata.started("Order", "1.0.0"))
        .withWorkerItems(
            List.of(
                new WorkItem.ActivityExecute(
                    new ActivityKey(instance, 1, 2),
                    "Pack",
                    "{}",
                    ActivityRouting.ANYWHERE,
                    ActivityOrigin.UNKNOWN)));
  }

  private static TurnCommit lastTurn(String instance) {
    return TurnCommit.events(
        1,
        List.of(event(instance, 4, new EventKind.CustomStatusUpdated("done"))),
        ExecutionMetadata.started("Order", "1.0.0").withStatus(ExecutionStatus.COMPLETED, "out"));
  }

  private LockedOrchestration fetched(String instance) throws InterruptedException {
    LockedOrchestration turn =
        store.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO)).orElseThrow();
    assertThat(turn.item().instance()).isEqualTo(instance);
    assertThat(turn.attemptCount()).isEqualTo(1);
    return turn;
  }

  private LockedWork fetchedWork() throws InterruptedException {
    LockedWork work = store.fetchWorkItem(WorkFetch.of(LOCK, Duration.ZERO)).orElseThrow();
    assertThat(work.attemptCount()).isEqualTo(1);
    return work;
  }

  /** Does something again if memory was short; whatever else happens is a failure. */
  private <T> T again(Callable<T> call) throws Exception {
    try {
      return call.call();
    } catch (ProviderException failure) {
      assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure.getCause()).isInstanceOf(OutOfMemoryError.class);
      checkFree();
      return call.call();
    }
  }

  private Callable<Boolean> doing(Runnable work) {
    return () -> {
      work.run();
      return true;
    };
  }

  /** No transaction is open. */
  private void checkFree() {
    assertThat(new Surgery(folder.file()).update("UPDATE duroxide_counter SET seq = seq"))
        .isEqualTo(1);
  }

  private void finished(String instance, long activities) {
    checkFree();
    assertThat(store.read(instance)).hasSize(4);
    assertThat(store.status(instance).orElseThrow().toString()).contains("out");
    assertThat(store.management().orElseThrow().queueDepths().worker().ready())
        .isEqualTo(activities);
  }

  /** The whole life of an instance. */
  private void live(String x) throws Exception {
    again(doing(() -> store.enqueueForOrchestrator(start(x), Duration.ZERO)));
    LockedOrchestration first = again(() -> fetched(x));
    assertThat(first.item().messages().items()).containsExactly(start(x));
    again(() ->
        store.commitTurn(new TurnSource.Fetched(first.lockToken()), firstTurn(x), WorkClaim.NONE));
    LockedWork work = again(this::fetchedWork);
    WorkItem outcome = new WorkItem.ActivityCompleted(x, 1, 2, "{}");
    again(doing(() -> store.ackWorkItem(work.lockToken(), outcome)));
    LockedOrchestration second = again(() -> fetched(x));
    assertThat(second.item().messages().items()).containsExactly(outcome);
    again(() ->
        store.commitTurn(new TurnSource.Fetched(second.lockToken()), lastTurn(x), WorkClaim.NONE));
    assertThat(again(() -> store.kvValue(x, "k"))).contains("v");
  }

  @ParameterizedTest(name = "RL-012 {0} each call of a caller that writes to a store in memory")
  @EnumSource(JdbcShortage.When.class)
  void callerInMemory(JdbcShortage.When when) throws Exception {
    store.close();
    store = open(inMemory, pauses::add);
    caller(when);
  }

  @ParameterizedTest(name = "RL-012 {0} each call of a caller that writes by itself")
  @EnumSource(JdbcShortage.When.class)
  void caller(JdbcShortage.When when) throws Exception {
    int place = 0;
    for (boolean struck = true; struck; place++) {
      String x = "x" + place;
      shortage.arm(place, when, caller);
      live(x);
      struck = shortage.disarm();
      finished(x, 0);
    }
    assertThat(place).isGreaterThan(100);
    assertThat(pauses).isEmpty();
  }

  private static <T> T answerOf(FutureTask<T> task) throws Exception {
    try {
      return task.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw (Exception) Objects.requireNonNull(failure.getCause());
    }
  }

  @ParameterizedTest(name = "RL-011 {0} each call of the writer's round")
  @EnumSource(JdbcShortage.When.class)
  void writer(JdbcShortage.When when) throws Exception {
    int place = 0;
    for (boolean struck = true; struck; place++) {
      String x = "x" + place;
      String y = "y" + place;
      store.enqueueForOrchestrator(start(x), Duration.ZERO);
      LockedOrchestration turn = fetched(x);
      FutureTask<LockedOrchestration> waiting = awaitingTurn();
      HeldWriter held = HeldWriter.hold(store, shortage);
      Callable<Object> ack =
          () ->
              store.commitTurn(
                  new TurnSource.Fetched(turn.lockToken()), firstTurn(x), WorkClaim.NONE);
      Callable<Boolean> send = doing(() -> store.enqueueForOrchestrator(start(y), Duration.ZERO));
      FutureTask<Object> acked = HeldWriter.queued(ack);
      FutureTask<Boolean> sent = HeldWriter.queued(send);
      shortage.arm(place, when, isNamed("writer"));

      assertThat(answerOf(held.release())).isTrue();
      answered(acked, ack);
      answered(sent, send);

      LockedOrchestration other = answerOf(waiting);
      assertThat(other.item().messages().items()).containsExactly(start(y));
      assertThat(other.attemptCount()).isEqualTo(1);
      struck = shortage.disarm();
      store.commitTurn(new TurnSource.Fetched(other.lockToken()), firstTurn(y), WorkClaim.NONE);
      store.enqueueForOrchestrator(new WorkItem.ExternalRaised(x, "end", "{}"), Duration.ZERO);
      store.commitTurn(new TurnSource.Fetched(fetched(x).lockToken()), lastTurn(x), WorkClaim.NONE);
      finished(x, 2L * (place + 1));
    }
    assertThat(place).isGreaterThan(50);
    assertThat(pauses).isNotEmpty().allMatch(millis -> millis >= 100 && millis <= 5000);
  }

  /** Gets the answer of a call; one that failed for want of memory is made once more. */
  private <T> void answered(FutureTask<T> task, Callable<T> call) throws Exception {
    boolean[] first = {true};
    again(() -> {
      boolean asked = first[0];
      first[0] = false;
      return asked ? answerOf(task) : call.call();
    });
  }

  /** A fetch that has found nothing and waits. */
  private FutureTask<LockedOrchestration> awaitingTurn() {
    FutureTask<LockedOrchestration> task =
        new FutureTask<>(() ->
            store.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, PATIENCE)).orElseThrow());
    Thread waiter = Thread.ofPlatform().daemon().start(task);
    while (!(LockSupport.getBlocker(waiter) instanceof Condition)) {
      Thread.onSpinWait();
    }
    return task;
  }

  @ParameterizedTest(name = "RL-011 {0} each call of a read")
  @EnumSource(JdbcShortage.When.class)
  void reader(JdbcShortage.When when) throws Exception {
    live("x");
    int place = 0;
    for (boolean struck = true; struck; place++) {
      shortage.arm(place, when, isNamed("reader"));
      assertThat(again(() -> store.read("x"))).hasSize(4);
      struck = shortage.disarm();
    }
    assertThat(place).isGreaterThan(5);
    finished("x", 0);
  }

  @Test
  @DisplayName("RL-016 a writer thread that ends refuses who waits and who comes later, by name")
  void ends() throws Exception {
    store.close();
    store =
        open(
            inFile,
            any -> {
              throw new OutOfMemoryError("made to end");
            });
    FutureTask<LockedOrchestration> waiting = awaitingTurn();
    HeldWriter held = HeldWriter.hold(store, shortage);
    List<FutureTask<Boolean>> calls = new ArrayList<>();
    for (String id : List.of("a", "b", "c")) {
      calls.add(
          HeldWriter.queued(doing(() -> store.enqueueForOrchestrator(start(id), Duration.ZERO))));
    }
    shortage.arm(0, JdbcShortage.When.BEFORE, isNamed("writer"));
    assertThat(store.health().failures()).isEmpty();

    answerOf(held.release());

    assertThat(failure(() -> answerOf(calls.get(0)))).hasMessageContaining("OutOfMemoryError");
    String ended =
        "the store's writer thread has ended (java.lang.OutOfMemoryError); open the store anew";
    assertThat(failure(() -> answerOf(calls.get(2)))).hasMessageContaining(ended);
    assertThat(failure(() -> answerOf(waiting))).hasMessageContaining(ended);
    assertThat(failure(() -> store.ackWorkItem("any", null))).hasMessageContaining(ended);
    assertThat(store.health().failures()).containsExactly(ended);
    assertThat(store.health().threads()).isEqualTo(1);
    assertThat(store.health().alive()).isZero();
    store.close();
    assertThat(failure(() -> store.ackWorkItem("any", null))).hasMessageContaining("was closed");
  }

  private static ProviderException failure(Checked call) {
    ProviderException failure = catchThrowableOfType(ProviderException.class, call::run);
    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    return failure;
  }

  /** Something that fails. */
  @FunctionalInterface
  private interface Checked {
    void run() throws Exception;
  }
}
