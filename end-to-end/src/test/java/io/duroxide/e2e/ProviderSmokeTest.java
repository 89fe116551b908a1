package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
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
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class ProviderSmokeTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  @Parameter private Mode mode;
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO);

  private Event event(long execution, long id, EventKind kind) {
    return new Event(
        new ExecutionKey("i", execution),
        id,
        null,
        new EventStamp(world.clock().instant(), "0.1.0"),
        kind);
  }

  private Event started(long execution) {
    return event(
        execution,
        1,
        new EventKind.OrchestrationStarted("Flow", "1.0.0", "in", null, Inheritance.NOTHING));
  }

  private LockedOrchestration fetch() throws InterruptedException {
    return world.store().fetchOrchestrationItem(FETCH).orElseThrow();
  }

  private void commit(long execution, ExecutionStatus status, String output, Event... events)
      throws InterruptedException {
    ExecutionMetadata metadata = ExecutionMetadata.started("Flow", "1.0.0");
    world
        .store()
        .commitTurn(
            new TurnSource.Fetched(fetch().lockToken()),
            TurnCommit.events(
                execution,
                List.of(events),
                status == null ? metadata : metadata.withStatus(status, output)),
            WorkClaim.NONE);
  }

  @Test
  @DisplayName("E2E-860 what reaches an instance that has ended is consumed without effect")
  void afterTheEnd() {
    world.start(n -> n.orchestration(FLOW, (ctx, in) -> in));
    world.client().start(FLOW, "i", "ok");
    assertThat(world.output("i")).isEqualTo("ok");
    List<Event> history = world.history("i");
    world.blindClient().raiseEvent("i", "late", "");
    world.blindClient().cancel("i", "late");

    world.until(() ->
        world.store().management().orElseThrow().queueDepths().orchestrator().ready() == 0
            && world.store().management().orElseThrow().queueDepths().orchestrator().locked() == 0);
    assertThat(world.history("i")).isEqualTo(history);
    assertThat(world.output("i")).isEqualTo("ok");
  }

  @Test
  @DisplayName(
      "E2E-861 E2E-862 fetch finds nothing, a new instance, an existing one; ack needs a lock")
  void fetchAndAck() throws InterruptedException {
    Provider store = world.store();
    assertThat(store.fetchOrchestrationItem(FETCH)).isEmpty();
    world.client().start(FLOW, "i", "in");
    LockedOrchestration fresh = fetch();
    assertThat(fresh.item().history().events()).isEmpty();
    TurnCommit turn =
        TurnCommit.events(
                1,
                List.of(
                    started(1),
                    event(1, 2, new EventKind.ActivityScheduled("Work", "", null, null))),
                ExecutionMetadata.started("Flow", "1.0.0"))
            .withWorkerItems(
                List.of(
                    new WorkItem.ActivityExecute(
                        new ActivityKey("i", 1, 2),
                        "Work",
                        "",
                        ActivityRouting.ANYWHERE,
                        ActivityOrigin.UNKNOWN)))
            .withOrchestratorItems(List.of(new WorkItem.ExternalRaised("i", "e", "d")));
    assertThatThrownBy(
            () -> store.commitTurn(new TurnSource.Fetched("no such token"), turn, WorkClaim.NONE))
        .isInstanceOfSatisfying(
            ProviderException.class,
            e -> assertThat(e.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST));
    assertThat(store.read("i")).isEmpty();

    store.commitTurn(new TurnSource.Fetched(fresh.lockToken()), turn, WorkClaim.NONE);

    assertThat(store.read("i")).hasSize(2);
    assertThat(store.fetchWorkItem(WorkFetch.of(Duration.ofSeconds(5), Duration.ZERO))).isPresent();
    LockedOrchestration again = fetch();
    assertThat(again.item().history().events()).hasSize(2);
    assertThat(again.item().messages().items())
        .containsExactly(new WorkItem.ExternalRaised("i", "e", "d"));
  }

  @Test
  @DisplayName("E2E-863 abandoned at once or with a delay; not without a lock")
  void abandon() throws InterruptedException {
    Provider store = world.store();
    world.client().start(FLOW, "i", "");
    store.abandonOrchestrationItem(fetch().lockToken(), Duration.ZERO, false);
    store.abandonOrchestrationItem(fetch().lockToken(), Duration.ofSeconds(2), false);
    assertThat(store.fetchOrchestrationItem(FETCH)).isEmpty();
    world.advance(Duration.ofSeconds(2));
    assertThat(fetch().attemptCount()).isEqualTo(3);
    assertThatThrownBy(() -> store.abandonOrchestrationItem("no such token", Duration.ZERO, false))
        .isInstanceOf(ProviderException.class);
  }

  @Test
  @DisplayName("E2E-864 E2E-865 E2E-866 executions, statuses and outputs survive reopening")
  void executions() throws InterruptedException {
    world.client().start(FLOW, "i", "in");
    commit(1, null, null, started(1));
    assertThat(world.store().status("i").orElseThrow().status()).isEqualTo(ExecutionStatus.RUNNING);
    world
        .store()
        .enqueueForOrchestrator(
            new WorkItem.ContinueAsNew("i", "Flow", "next", null, null, Inheritance.NOTHING, null),
            Duration.ZERO);
    commit(
        1,
        ExecutionStatus.CONTINUED_AS_NEW,
        "next",
        event(1, 2, new EventKind.OrchestrationContinuedAsNew("next")));
    assertThat(world.store().status("i").orElseThrow().output()).isEqualTo("next");
    world.client().raiseEvent("i", "e", "");
    world
        .store()
        .enqueueForOrchestrator(
            new WorkItem.ContinueAsNew("i", "Flow", "next", null, null, Inheritance.NOTHING, null),
            Duration.ZERO);
    commit(
        2,
        ExecutionStatus.COMPLETED,
        "out",
        started(2),
        event(2, 2, new EventKind.OrchestrationCompleted("out")));

    world.restart();

    assertThat(world.history("i", 1)).hasSize(2);
    assertThat(world.history("i")).isEqualTo(world.history("i", 2)).hasSize(2);
    assertThat(world.store().status("i").orElseThrow().status())
        .isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(world.output("i")).isEqualTo("out");
  }

  @Test
  @DisplayName("E2E-867 a commit that fails leaves nothing of the turn, lock and messages stay")
  void failingAck() throws InterruptedException {
    Provider store = world.store();
    world.client().start(FLOW, "i", "");
    LockedOrchestration locked = fetch();
    TurnCommit twice =
        TurnCommit.events(
            1, List.of(started(1), started(1)), ExecutionMetadata.started("Flow", "1.0.0"));

    assertThatThrownBy(() ->
            store.commitTurn(new TurnSource.Fetched(locked.lockToken()), twice, WorkClaim.NONE))
        .isInstanceOf(ProviderException.class);

    assertThat(store.read("i")).isEmpty();
    assertThat(store.fetchOrchestrationItem(FETCH)).isEmpty();
    store.commitTurn(
        new TurnSource.Fetched(locked.lockToken()),
        TurnCommit.events(1, List.of(started(1)), ExecutionMetadata.started("Flow", "1.0.0")),
        WorkClaim.NONE);
    assertThat(store.read("i")).hasSize(1);
  }

  @Test
  @DisplayName("E2E-868 a timer is invisible before its time")
  void timer() throws InterruptedException {
    world.client().start(FLOW, "i", "");
    commit(1, null, null, started(1));
    world
        .store()
        .enqueueForOrchestrator(
            new WorkItem.TimerFired("i", 1, 2, world.clock().instant().plusSeconds(60)),
            Duration.ZERO);
    assertThat(world.store().fetchOrchestrationItem(FETCH)).isEmpty();
    world.advance(Duration.ofSeconds(60));
    assertThat(fetch().item().messages().items()).hasSize(1);
  }
}
