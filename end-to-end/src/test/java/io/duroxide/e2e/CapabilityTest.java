package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.runtime.FrameworkVersion;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}, {1}")
@MethodSource("io.duroxide.e2e.Way#withModes")
class CapabilityTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

  @Parameter(0)
  private Mode mode;

  @Parameter(1)
  private Way way;

  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
    way.through(faults);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static final OrchestrationHandler<String, String> WAITING =
      (ctx, in) -> ctx.waitForEvent("go").await();

  private static SemverRange range(int from, int to) {
    return new SemverRange(Semver.of(from, 0, 0), Semver.of(to, 0, 0));
  }

  private RuntimeOptions.Builder replaying(SemverRange... ranges) {
    return world.options().supportedReplayVersions(List.of(ranges));
  }

  /** An instance that waits for "go", as a node of this framework version left it. */
  private void stored(String instance, String written, Semver pin) {
    Provider store = world.store();
    world.client().start(FLOW, instance, "");
    ExecutionKey key = new ExecutionKey(instance, 1);
    EventStamp stamp = new EventStamp(world.clock().instant(), written);
    List<Event> events =
        List.of(
            new Event(
                key,
                1,
                null,
                stamp,
                new EventKind.OrchestrationStarted("Flow", "1.0.0", "", null, Inheritance.NOTHING)),
            new Event(key, 2, null, stamp, new EventKind.ExternalSubscribed("go")));
    try {
      LockedOrchestration locked =
          store
              .fetchOrchestrationItem(OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO))
              .orElseThrow();
      assertThat(locked.item().instance()).isEqualTo(instance);
      store.commitTurn(
          new TurnSource.Fetched(locked.lockToken()),
          TurnCommit.events(
              1, events, ExecutionMetadata.started("Flow", "1.0.0").withPinnedVersion(pin)),
          WorkClaim.NONE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void stored(String instance, Semver pin) {
    stored(instance, pin.toString(), pin);
  }

  private void go(String... instances) {
    for (String instance : instances) {
      world.client().raiseEvent(instance, "go", "done");
    }
  }

  private boolean isRunning(String instance) {
    return world.client().status(instance) instanceof OrchestrationStatus.Running;
  }

  @Test
  @DisplayName("E2E-640 E2E-644 own and older pins run, one outside the range is never fetched")
  void outsideTheRange() {
    stored("newer", Semver.of(99, 0, 0));
    stored("own", FrameworkVersion.CURRENT);
    stored("older", Semver.of(0, 0, 1));
    go("newer", "own", "older");
    world.start(n -> n.orchestration(FLOW, WAITING));

    assertThat(world.output("own")).isEqualTo("done");
    assertThat(world.output("older")).isEqualTo("done");
    assertThat(isRunning("newer")).isTrue();
    assertThat(world.history("newer")).hasSize(2);
    assertThat(faults.count("abandonOrchestrationItem")).isZero();
  }

  @Test
  @DisplayName("E2E-641 E2E-642 E2E-648 instances and children are pinned to this build, unwarned")
  void pinned() throws InterruptedException {
    try (Logs logs = Logs.of("io.duroxide.runtime.turns", ch.qos.logback.classic.Level.WARN)) {
      world.start(n ->
          n.orchestration(FLOW, (ctx, in) -> ctx.call(CHILD, in).await())
              .orchestration(CHILD, WAITING));
      world.client().start(FLOW, "p", "");
      world.awaitEvent("p::sub::2", EventKind.ExternalSubscribed.class);
      for (String instance : List.of("p", "p::sub::2")) {
        assertThat(world.history(instance).getFirst().stamp().frameworkVersion())
            .isEqualTo(FrameworkVersion.CURRENT.toString());
      }
      world.stopRuntimes();
      world.client().raiseEvent("p::sub::2", "go", "done");
      OrchestrationFetch fetch = OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO);
      assertThat(
              world
                  .store()
                  .fetchOrchestrationItem(
                      fetch.withFilter(DispatcherCapabilityFilter.of(range(1, 99)))))
          .isEmpty();
      world.start(
          replaying(new SemverRange(FrameworkVersion.CURRENT, FrameworkVersion.CURRENT)),
          n ->
              n.orchestration(FLOW, (ctx, in) -> ctx.call(CHILD, in).await())
                  .orchestration(CHILD, WAITING));
      assertThat(world.output("p")).isEqualTo("done");
      assertThat(logs.lines()).isEmpty();
    }
  }

  @Test
  @DisplayName("E2E-643 an execution without a pin is processed by a node that filters")
  void withoutPin() {
    stored("old", FrameworkVersion.CURRENT.toString(), null);
    world.client().raiseEvent("old", "go", "done");
    world.start(n -> n.orchestration(FLOW, WAITING));

    assertThat(world.output("old")).isEqualTo("done");
  }

  @Test
  @DisplayName("E2E-645 E2E-647 a narrow range takes only what matches; the recorded pin stays")
  void narrowRange() {
    stored("in", Semver.of(3, 1, 4));
    stored("below", Semver.of(2, 9, 9));
    stored("above", Semver.of(4, 0, 1));
    go("in", "below", "above");
    world.start(replaying(range(3, 4)), n -> n.orchestration(FLOW, WAITING));

    assertThat(world.output("in")).isEqualTo("done");
    assertThat(world.history("in").getFirst().stamp().frameworkVersion()).isEqualTo("3.1.4");
    assertThat(isRunning("below")).isTrue();
    assertThat(isRunning("above")).isTrue();
  }

  private void recordingNode(String node, Map<String, String> ranOn, SemverRange... ranges) {
    world.start(
        replaying(ranges),
        n ->
            n.orchestration(
                FLOW,
                (ctx, in) -> {
                  String data = ctx.waitForEvent("go").await();
                  assertThat(ranOn.put(ctx.instanceId(), node)).isNull();
                  return data;
                }));
  }

  @Test
  @DisplayName(
      "E2E-646 disjoint ranges: each node runs its own; overlapping ranges: one does, once")
  void twoNodes() {
    for (int i = 0; i < 3; i++) {
      stored("two-" + i, Semver.of(2, 0, i));
    }
    for (int i = 0; i < 2; i++) {
      stored("five-" + i, Semver.of(5, 0, i));
    }
    stored("seven", Semver.of(7, 0, 0));
    go("two-0", "two-1", "two-2", "five-0", "five-1", "seven");
    Map<String, String> ranOn = new ConcurrentHashMap<>();
    recordingNode("A", ranOn, range(1, 3));
    recordingNode("B", ranOn, range(4, 6));
    for (String own : List.of("two-0", "two-1", "two-2", "five-0", "five-1")) {
      assertThat(world.output(own)).isEqualTo("done");
      assertThat(ranOn.get(own)).isEqualTo(own.startsWith("two") ? "A" : "B");
    }

    assertThat(isRunning("seven")).isTrue();
    recordingNode("C", ranOn, range(6, 8));
    recordingNode("D", ranOn, range(7, 9));
    assertThat(world.output("seven")).isEqualTo("done");
    assertThat(ranOn.get("seven")).isIn("C", "D");
  }

  @Test
  @DisplayName("E2E-649 a late completion of execution 1 does not reach execution 2")
  void staleCompletion() {
    world.start(n ->
        n.orchestration(
            FLOW,
            (ctx, in) -> in.isEmpty() ? ctx.continueAsNew("2") : ctx.waitForEvent("go").await()));
    world.client().start(FLOW, "s", "");
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
    world
        .store()
        .enqueueForOrchestrator(new WorkItem.ActivityCompleted("s", 1, 2, "stale"), Duration.ZERO);
    world.client().raiseEvent("s", "go", "done");

    assertThat(world.output("s")).isEqualTo("done");
    assertThat(world.events("s", EventKind.ActivityCompleted.class)).isEmpty();
  }

  @Test
  @DisplayName("E2E-650 a history nobody can read fails after the chosen number of attempts")
  void unreadable() {
    stored("bad", Semver.of(99, 0, 0));
    go("bad");
    faults.onFetchedTurn(locked -> {
      OrchestrationItem item = locked.item();
      return new LockedOrchestration(
          new OrchestrationItem(
              item.execution(),
              item.orchestrationName(),
              item.version(),
              new StoredHistory.Unreadable("an event from the future"),
              item.messages()),
          locked.lockToken(),
          locked.attemptCount());
    });
    world.start(replaying(range(0, 99)).maxAttempts(3), n -> n.orchestration(FLOW, WAITING));
    for (int bounce = 1; bounce <= 3; bounce++) {
      int expected = bounce;
      world.until(() -> faults.done("abandonOrchestrationItem") == expected);
      assertThat(isRunning("bad")).isTrue();
      world.advance(Duration.ofSeconds(1));
    }

    assertThat(world.failure("bad"))
        .isEqualTo(
            "poison: orchestration bad history deserialization failed after 4 attempts (max 3):"
                + " an event from the future");
  }

  @Test
  @DisplayName("E2E-651 E2E-652 what passes a broken filter is handed back for a second, warned of")
  void brokenFilter() {
    stored("newer", Semver.of(99, 0, 0));
    go("newer");
    faults.bypassFilter();
    try (Logs logs = Logs.of("io.duroxide.runtime.turns", ch.qos.logback.classic.Level.WARN)) {
      world.start(world.options().maxAttempts(1_000), n -> n.orchestration(FLOW, WAITING));
      world.until(() -> faults.done("abandonOrchestrationItem") == 1);
      world.client().start(FLOW, "other", "");
      world.awaitEvent("other", EventKind.ExternalSubscribed.class);
      assertThat(faults.done("abandonOrchestrationItem")).isEqualTo(1);
      world.advance(Duration.ofSeconds(1));
      world.until(() -> faults.done("abandonOrchestrationItem") == 2);

      assertThat(isRunning("newer")).isTrue();
      assertThat(world.history("newer")).hasSize(2);
      assertThat(logs.lines().getFirst()).contains("newer", "99.0.0", "0.0.0..");
    }
  }

  @Test
  @DisplayName("E2E-911 an incompatible instance bounces until a capable node takes it")
  void bouncesToCapableNode() {
    stored("newer", Semver.of(99, 0, 0));
    go("newer");
    faults.bypassFilter();
    world.start(n -> n.orchestration(FLOW, WAITING));
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);
    world.stopRuntimes();
    world.start(replaying(range(0, 99)), n -> n.orchestration(FLOW, WAITING));
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("newer")).isEqualTo("done");
  }

  @Test
  @DisplayName(
      "E2E-911 after the last attempt an incompatible instance fails, naming pin and range")
  void incompatibleFails() {
    stored("newer", Semver.of(99, 0, 0));
    go("newer");
    faults.bypassFilter();
    faults.turnAttempts(locked -> locked.attemptCount() + 10);
    world.start(n -> n.orchestration(FLOW, WAITING));

    ErrorDetails details = ((OrchestrationStatus.Failed) world.end("newer")).details();

    assertThat(details)
        .isInstanceOfSatisfying(
            ErrorDetails.Configuration.class,
            error ->
                assertThat(error.kind()).isEqualTo(ConfigurationErrorKind.INCOMPATIBLE_VERSION));
    assertThat(details.displayMessage()).contains("99.0.0", "0.0.0.." + FrameworkVersion.CURRENT);
  }

  @Test
  @DisplayName("RL-077 three natural bounces, each told, then the error with pin and range")
  void naturalBounces() {
    stored("newer", Semver.of(99, 0, 0));
    go("newer");
    faults.bypassFilter();
    Queue<ExecutionEvent.VersionRefused> told = new ConcurrentLinkedQueue<>();
    world.start(
        world
            .options()
            .maxAttempts(3)
            .telemetry(event -> {
              if (event instanceof ExecutionEvent.VersionRefused refused) {
                told.add(refused);
              }
            }),
        n -> n.orchestration(FLOW, WAITING));
    for (int bounce = 1; bounce <= 3; bounce++) {
      int expected = bounce;
      world.until(() -> faults.done("abandonOrchestrationItem") == expected);
      assertThat(isRunning("newer")).isTrue();
      world.advance(Duration.ofSeconds(1));
    }

    ErrorDetails details = ((OrchestrationStatus.Failed) world.end("newer")).details();
    assertThat(details)
        .isInstanceOfSatisfying(
            ErrorDetails.Configuration.class,
            error ->
                assertThat(error.kind()).isEqualTo(ConfigurationErrorKind.INCOMPATIBLE_VERSION));
    assertThat(details.displayMessage()).contains("99.0.0", "0.0.0.." + FrameworkVersion.CURRENT);
    world.until(() -> told.size() == 3);
    assertThat(told).extracting(ExecutionEvent.VersionRefused::attempt).containsExactly(1, 2, 3);
    assertThat(told).allMatch(refused -> refused.pinned().equals("99.0.0"));
  }

  @Test
  @DisplayName("RL-082 a continuation with an unsupported pin is not begun without a filter either")
  void continuationElsewhere() throws InterruptedException {
    stored("newer", Semver.of(99, 0, 0));
    go("newer");
    Provider store = world.store();
    LockedOrchestration locked =
        store
            .fetchOrchestrationItem(OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO))
            .orElseThrow();
    ExecutionKey key = locked.item().execution();
    EventStamp stamp = new EventStamp(world.clock().instant(), "99.0.0");
    Event end = new Event(key, 3, null, stamp, new EventKind.OrchestrationContinuedAsNew("2"));
    store.commitTurn(
        new TurnSource.Fetched(locked.lockToken()),
        TurnCommit.events(
                1,
                List.of(end),
                ExecutionMetadata.NONE.withStatus(ExecutionStatus.CONTINUED_AS_NEW, "2"))
            .withOrchestratorItems(
                List.of(
                    new WorkItem.ContinueAsNew(
                        "newer", "Flow", "2", "1.0.0", null, Inheritance.NOTHING, null))),
        WorkClaim.NONE);
    faults.bypassFilter();
    world.start(n -> n.orchestration(FLOW, WAITING));
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);

    assertThat(store.management().orElseThrow().listExecutions("newer")).containsExactly(1L);
    world.stopRuntimes();
    world.start(replaying(range(0, 99)), n -> n.orchestration(FLOW, WAITING));
    world.advance(Duration.ofMinutes(2));
    world.until(() -> !world.history("newer", 2).isEmpty());
  }

  @Test
  @DisplayName("RL-082 a turn over a limit that is lost does not make a limit of the next failure")
  void lostTurnOverLimit() {
    AtomicBoolean greedy = new AtomicBoolean(true);
    Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    world.start(
        world
            .options()
            .telemetry(event -> {
              if (event instanceof ExecutionEvent.Ended ended && ended.failure() != null) {
                failures.add(ended.failure());
              }
            }),
        n ->
            n.orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.waitForEvent("go").await();
                  if (greedy.get()) {
                    ctx.setCustomStatus("x".repeat(300_000));
                  }
                  throw new IllegalStateException("no luck");
                }));
    world.client().start(FLOW, "x", "");
    world.until(() -> world.history("x", 1).size() == 2);
    faults.failNext(Faults.COMMIT, 1, ProviderException.Kind.LOCK_LOST);
    int acks = faults.done(Faults.COMMIT);
    go("x");
    world.until(() -> faults.done(Faults.COMMIT) == acks + 1);
    assertThat(isRunning("x")).isTrue();

    greedy.set(false);
    world.advance(Duration.ofMinutes(1));
    assertThat(((OrchestrationStatus.Failed) world.end("x")).details().displayMessage())
        .contains("no luck");
    world.until(() -> !failures.isEmpty());
    assertThat(failures).extracting(Failure::kind).containsExactly(Failure.Kind.APPLICATION);
  }

  @Test
  @DisplayName("E2E-653 a starting node says which versions it replays")
  void startLog() {
    try (Logs logs = Logs.of("io.duroxide.runtime", ch.qos.logback.classic.Level.INFO)) {
      world.start(replaying(range(2, 3)), n -> {});

      assertThat(logs.lines()).anyMatch(line -> line.contains("2.0.0..3.0.0"));
    }
  }
}
