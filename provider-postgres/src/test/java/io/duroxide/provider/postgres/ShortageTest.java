package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.SystemTime;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.tck.JdbcShortage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

@DisplayName("Memory that is short")
class ShortageTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final int PLACES_OF_A_STEP = 6;

  private final Premises premises = Premises.take();
  private final JdbcShortage shortage = new JdbcShortage(JdbcShortage.Scope.STATEMENTS);
  private final List<Long> pauses = Collections.synchronizedList(new ArrayList<>());
  private final Predicate<Thread> caller = Thread.currentThread()::equals;
  private PostgresProvider store = open(pauses::add);

  private PostgresProvider open(LongConsumer pause) {
    return PostgresProvider.open(
        shortage.on(premises.pool()),
        premises.options().withLanes(1),
        SystemTime.nanos(),
        new StoreThreads(
            "duroxide-postgres", "test", LoggerFactory.getLogger(ShortageTest.class), pause));
  }

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  private static Predicate<Thread> isNamed(String role) {
    return thread -> thread.getName().startsWith("duroxide-postgres-" + role);
  }

  private static WorkItem start(String instance) {
    return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null);
  }

  private LockedOrchestration fetched(String instance) throws InterruptedException {
    LockedOrchestration turn =
        store.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO)).orElseThrow();
    assertThat(turn.item().instance()).isEqualTo(instance);
    assertThat(turn.attemptCount()).isEqualTo(1);
    return turn;
  }

  /** Does something again if memory was short; whatever else happens is a failure. */
  private static <T> T again(Callable<T> call) throws Exception {
    try {
      return call.call();
    } catch (ProviderException failure) {
      assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure.getCause()).isInstanceOf(OutOfMemoryError.class);
      return call.call();
    }
  }

  /** The first turn of an instance, and what it was sent since. */
  private void live(String x) throws Exception {
    again(() -> {
      store.enqueueForOrchestrator(start(x), Duration.ZERO);
      return true;
    });
    LockedOrchestration first = again(() -> fetched(x));
    assertThat(first.item().messages().items()).containsExactly(start(x));
    again(() ->
        store.commitTurn(
            new TurnSource.Fetched(first.lockToken()), FirstTurn.of(x), WorkClaim.NONE));
    WorkItem raised = new WorkItem.ExternalRaised(x, "end", "{}");
    again(() -> {
      store.enqueueForOrchestrator(raised, Duration.ZERO);
      return true;
    });
    LockedOrchestration second = again(() -> fetched(x));
    assertThat(second.item().messages().items()).containsExactly(raised);
    TurnCommit last =
        TurnCommit.events(
            1,
            List.of(FirstTurn.event(x, 2, new EventKind.CustomStatusUpdated("done"))),
            ExecutionMetadata.started("Order", "1.0.0"));
    again(() -> store.commitTurn(new TurnSource.Fetched(second.lockToken()), last, WorkClaim.NONE));
    assertThat(again(() -> store.read(x))).hasSize(2);
  }

  private int everywhere(JdbcShortage.When when, Predicate<Thread> victim) throws Exception {
    int place = 0;
    for (boolean struck = true; struck; place++) {
      shortage.arm(place, when, victim);
      live("x" + place);
      struck = shortage.disarm();
    }
    return place;
  }

  @ParameterizedTest(name = "RL-013 {0} each call of a lane")
  @EnumSource(JdbcShortage.When.class)
  void lanes(JdbcShortage.When when) throws Exception {
    assertThat(everywhere(when, isNamed("lane"))).isGreaterThan(40);
    assertThat(pauses).allMatch(millis -> millis >= 100 && millis <= 5000);
  }

  @ParameterizedTest(name = "RL-013 {0} each call of a reader")
  @EnumSource(JdbcShortage.When.class)
  void readers(JdbcShortage.When when) throws Exception {
    assertThat(everywhere(when, isNamed("reader"))).isGreaterThan(5);
    assertThat(pauses).isEmpty();
  }

  @ParameterizedTest(name = "RL-013 {0} each call of the notifier")
  @EnumSource(JdbcShortage.When.class)
  void herald(JdbcShortage.When when) {
    assertThat(heard(when, isNamed("herald"))).isGreaterThan(3);
  }

  @ParameterizedTest(name = "RL-013 {0} each call of the listener")
  @EnumSource(JdbcShortage.When.class)
  void listener(JdbcShortage.When when) {
    assertThat(heard(when, isNamed("listener"))).isGreaterThan(3);
  }

  /** A node hears what it tells, wherever memory was short. */
  private int heard(JdbcShortage.When when, Predicate<Thread> victim) {
    int place = 0;
    for (boolean struck = true; struck; place++) {
      shortage.arm(place, when, victim);
      store.listen();
      Awaitility.await().until(store::hears);
      assertThat(store.health().failures()).isEmpty();
      store.close();
      struck = shortage.disarm();
      store = open(pauses::add);
    }
    return place;
  }

  @ParameterizedTest(name = "RL-013 {0} each call of a step that needs no lane")
  @EnumSource(JdbcShortage.When.class)
  void spare(JdbcShortage.When when) throws Exception {
    Chain chain = new Chain(store, "x", LOCK);
    Chain.Link link = chain.begin();
    for (int place = 0; place < PLACES_OF_A_STEP; place++) {
      for (boolean struck = false; !struck; struck = shortage.disarm()) {
        Chain.Link from = link;
        shortage.arm(place, when, caller);
        link = again(() -> chain.next(from));
      }
    }
    assertThat(store.read("x")).hasSize((int) link.last());
  }

  @Test
  @DisplayName("RL-016 a lane that ends refuses who waits and who comes later, by name")
  void ends() throws Exception {
    store.close();
    store =
        open(any -> {
          throw new OutOfMemoryError("made to end");
        });
    FutureTask<Object> waiting =
        new FutureTask<>(() -> store.fetchWorkItem(WorkFetch.of(LOCK, Duration.ofMinutes(1))));
    Thread waiter = Thread.ofPlatform().daemon().start(waiting);
    Awaitility.await().until(() -> LockSupport.getBlocker(waiter) instanceof Condition);
    shortage.arm(0, JdbcShortage.When.BEFORE, isNamed("lane"));

    assertThat(failure(() -> store.enqueueForOrchestrator(start("a"), Duration.ZERO)))
        .hasMessageContaining("OutOfMemoryError");
    String ended =
        "the store's lane 1 thread has ended (java.lang.OutOfMemoryError); open the store anew";
    Awaitility.await().until(() -> !store.health().failures().isEmpty());
    assertThat(failure(() -> store.enqueueForOrchestrator(start("a"), Duration.ZERO)))
        .hasMessageContaining(ended);
    assertThat(failure(() -> store.read("a"))).hasMessageContaining(ended);
    assertThat(store.health().failures()).containsExactly(ended);
    assertThat(store.health().alive()).isEqualTo(store.health().threads() - 1);
    Awaitility.await().until(waiting::isDone);
    assertThat(waiting.exceptionNow()).hasMessageContaining(ended);
    store.close();
  }

  private static ProviderException failure(Runnable call) {
    ProviderException failure = catchThrowableOfType(ProviderException.class, call::run);
    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    return failure;
  }
}
