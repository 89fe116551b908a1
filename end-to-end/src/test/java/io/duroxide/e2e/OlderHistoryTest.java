package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.runtime.FrameworkVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories that others wrote, and histories that are thrown away. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class OlderHistoryTest {
  private static final Semver OLDER = Semver.of(0, 0, 7);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Activity<String, String> PRUNE =
      Activity.of("Prune", String.class, String.class);

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

  @Test
  @DisplayName(
      "E2E-242 E2E-824 OR-086 a history of an older framework is finished, the next execution"
          + " belongs to this one")
  void olderFramework() throws InterruptedException {
    writeOlderHistory("f");
    List<Event> written = world.history("f");
    assertThat(written).hasSize(6);

    world.start(node ->
        node.orchestration(
                FLOW,
                "1.0.0",
                (ctx, in) -> {
                  var first = ctx.waitForEvent("a");
                  var second = ctx.waitForEvent("b");
                  var third = ctx.waitForEvent("c");
                  String all = first.await() + second.await() + third.await();
                  return ctx.continueAsNew(all, ContinueOptions.version("2.0.0"));
                })
            .orchestration(FLOW, "2.0.0", (ctx, in) -> "v2 " + in + ctx.waitForEvent("d").await()));
    world.client().raiseEvent("f", "c", "3");
    world.until(() -> world.history("f").getFirst().execution().executionId() == 2);
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("f", "d", "4");

    assertThat(world.output("f")).isEqualTo("v2 1234");
    List<Event> first = world.history("f", 1);
    assertThat(first.subList(0, 6)).isEqualTo(written);
    assertThat(versions(first.subList(0, 6))).containsOnly(OLDER.toString());
    assertThat(versions(first.subList(6, first.size())))
        .containsOnly(FrameworkVersion.CURRENT.toString());
    assertThat(versions(world.history("f", 2))).containsOnly(FrameworkVersion.CURRENT.toString());
  }

  /** Three waits, two of them answered, as a node of an older version would have stored them. */
  private void writeOlderHistory(String instance) throws InterruptedException {
    Provider store = world.store();
    ExecutionKey key = new ExecutionKey(instance, 1);
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(instance, "Flow", "in", "1.0.0", null), Duration.ZERO);
    LockedOrchestration locked =
        store
            .fetchOrchestrationItem(
                OrchestrationFetch.of(Duration.ofSeconds(30), Duration.ofSeconds(1)))
            .orElseThrow();
    List<Event> events = new ArrayList<>();
    for (EventKind kind :
        List.of(
            new EventKind.OrchestrationStarted("Flow", "1.0.0", "in", null, Inheritance.NOTHING),
            new EventKind.ExternalSubscribed("a"),
            new EventKind.ExternalSubscribed("b"),
            new EventKind.ExternalSubscribed("c"))) {
      events.add(older(key, events.size() + 1, kind));
    }
    store.commitTurn(
        new TurnSource.Fetched(locked.lockToken()),
        TurnCommit.events(
            1, events, ExecutionMetadata.started("Flow", "1.0.0").withPinnedVersion(OLDER)),
        WorkClaim.NONE);
    store.appendWithExecution(
        key,
        List.of(
            older(key, 5, new EventKind.ExternalEvent("a", "1")),
            older(key, 6, new EventKind.ExternalEvent("b", "2"))));
  }

  private Event older(ExecutionKey key, long id, EventKind kind) {
    return new Event(
        key, id, null, new EventStamp(world.clock().instant(), OLDER.toString()), kind);
  }

  private static List<String> versions(List<Event> events) {
    return events.stream().map(event -> event.stamp().frameworkVersion()).toList();
  }

  @Test
  @DisplayName("OR-087 an eternal orchestration prunes its own past through an activity")
  void prunesItself() {
    world.start(node ->
        node.activity(
                PRUNE,
                (ctx, keep) -> {
                  var pruned =
                      ctx.service(Provider.class)
                          .management()
                          .orElseThrow()
                          .pruneExecutions(
                              ctx.instanceId(), PruneOptions.keepLast(Integer.parseInt(keep)));
                  return "" + pruned.executionsDeleted();
                })
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.call(PRUNE, "2").await();
                  int round = Integer.parseInt(in);
                  return round == 6 ? "round 6" : ctx.continueAsNew("" + (round + 1));
                }));

    world.client().start(FLOW, "f", "1");

    assertThat(world.output("f")).isEqualTo("round 6");
    assertThat(world.store().management().orElseThrow().listExecutions("f"))
        .containsExactly(5L, 6L);
    assertThat(world.history("f", 1)).isEmpty();
    assertThat(world.events("f", EventKind.ActivityCompleted.class))
        .extracting(EventKind.ActivityCompleted::result)
        .containsExactly("1");
  }
}
