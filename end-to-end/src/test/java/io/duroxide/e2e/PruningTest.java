package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.management.Management;
import io.duroxide.management.ManagementException;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.Provider;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PruningTest extends Scenario {
  private static final Orchestration<Integer, String> COUNT =
      Orchestration.of("Count", Integer.class, String.class);
  private static final Activity<String, String> PRUNE =
      Activity.of("PruneSelf", String.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);

  private final AtomicInteger prunes = new AtomicInteger();

  private Management management() {
    return Management.of(world.store());
  }

  /** Counts down through executions; the last one ends, or waits if the instance is named so. */
  private static String countDown(OrchestrationContext ctx, int n) {
    if (n > 1) {
      return ctx.continueAsNew(n - 1);
    }
    return ctx.instanceId().startsWith("waiting") ? ctx.waitFor(GO).await() : "end";
  }

  private void run(String instance, int executions) {
    world.client().start(COUNT, instance, executions);
    assertThat(world.output(instance)).isEqualTo("end");
  }

  private List<Long> executions(String instance) {
    return management().executions(instance, 0, 1000).stream()
        .map(ExecutionInfo::executionId)
        .toList();
  }

  @Test
  @DisplayName("E2E-730 of six executions the newest two remain")
  void keepLast() {
    world.start(node -> node.orchestration(COUNT, PruningTest::countDown));
    run("c", 6);
    assertThat(management().prune("c", PruneOptions.keepLast(2)))
        .isEqualTo(new PruneResult(1, 4, 8));
    assertThat(executions("c")).containsExactly(5L, 6L);
    assertThat(world.history("c", 5)).hasSize(2);
    assertThat(world.history("c", 4)).isEmpty();
    assertThat(world.output("c")).isEqualTo("end");
    assertThatThrownBy(() -> management().prune("nobody", PruneOptions.ALL))
        .isInstanceOf(ManagementException.InstanceNotFound.class);
  }

  @Test
  @DisplayName("E2E-731 bulk prunes two of three instances")
  void bulk() {
    world.start(node -> node.orchestration(COUNT, PruningTest::countDown));
    for (String instance : List.of("a", "b", "c")) {
      run(instance, 4);
    }
    PruneResult result =
        management()
            .pruneBulk(InstanceFilter.ids(List.of("a", "b")), PruneOptions.keepLast(1), 1000);
    assertThat(result).isEqualTo(new PruneResult(2, 6, 12));
    assertThat(executions("a")).containsExactly(4L);
    assertThat(executions("b")).containsExactly(4L);
    assertThat(executions("c")).hasSize(4);
  }

  @Test
  @DisplayName("E2E-732 the current execution always remains")
  void currentRemains() {
    world.start(node -> node.orchestration(COUNT, PruningTest::countDown));
    run("a", 3);
    run("b", 3);
    management().prune("a", PruneOptions.keepLast(0));
    management().prune("b", PruneOptions.ALL);
    assertThat(executions("a")).containsExactly(3L);
    assertThat(executions("b")).containsExactly(3L);
    assertThat(world.client().status("a")).isInstanceOf(OrchestrationStatus.Completed.class);
  }

  @Test
  @DisplayName("E2E-733 pruning a chain that runs does not disturb it")
  void whileRunning() {
    world.start(node -> node.orchestration(COUNT, PruningTest::countDown));
    world.client().start(COUNT, "c", 200);
    long pruned = 0;
    while (!world.client().status("c").isTerminal()) {
      try {
        pruned += management().prune("c", PruneOptions.ALL).executionsDeleted();
      } catch (ManagementException.InstanceNotFound notYet) {
        assertThat(pruned).isZero();
      }
    }
    assertThat(world.output("c")).isEqualTo("end");
    assertThat(pruned + executions("c").size()).isEqualTo(200);
    assertThat(executions("c")).endsWith(200L);
  }

  @Test
  @DisplayName("E2E-734 bulk includes what runs, and leaves it running")
  void bulkIncludesRunning() {
    world.start(node -> node.orchestration(COUNT, PruningTest::countDown));
    world.client().start(COUNT, "waiting", 5);
    awaitEvent("waiting", 5, EventKind.ExternalSubscribed.class);
    management().pruneBulk(InstanceFilter.ALL, PruneOptions.keepLast(2), 1000);
    assertThat(executions("waiting")).containsExactly(4L, 5L);
    world.client().raiseEvent("waiting", GO, "done");
    assertThat(world.output("waiting")).isEqualTo("done");
  }

  @Test
  @DisplayName("E2E-735 an eternal orchestration prunes itself by an activity")
  void selfPruning() {
    world.start(node ->
        node.activity(PRUNE, this::pruneSelf)
            .orchestration(
                COUNT,
                (ctx, n) -> {
                  ctx.call(PRUNE, "").await();
                  return countDown(ctx, n);
                }));
    run("c", 6);
    assertThat(prunes).hasValueGreaterThanOrEqualTo(4);
    assertThat(executions("c")).containsExactly(6L);
  }

  private String pruneSelf(ActivityContext ctx, String input) {
    Management management = Management.of(ctx.service(Provider.class));
    PruneResult result = management.prune(ctx.instanceId(), PruneOptions.keepLast(1));
    prunes.addAndGet((int) result.executionsDeleted());
    return "pruned";
  }
}
