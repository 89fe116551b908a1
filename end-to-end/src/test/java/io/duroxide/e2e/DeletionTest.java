package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.management.Force;
import io.duroxide.management.Management;
import io.duroxide.management.ManagementException;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeletionTest extends Scenario {
  private static final Orchestration<String, String> ECHO = texts("Echo");
  private static final Orchestration<String, String> FAIL = texts("Fail");
  private static final Orchestration<String, String> WAIT = texts("Wait");
  private static final Orchestration<String, String> SLEEP = texts("Sleep");
  private static final Orchestration<String, String> STEPS = texts("Steps");
  private static final Orchestration<String, String> STUCK = texts("Stuck");
  private static final Orchestration<String, String> PARENT = texts("Parent");
  private static final Orchestration<Integer, String> DEEP =
      Orchestration.of("Deep", Integer.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> LONG =
      Activity.of("Long", String.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);

  private final AtomicInteger worked = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);

  private Management management() {
    return Management.of(world.store());
  }

  private void startNode() {
    world.start(node ->
        node.activity(WORK, (ctx, in) -> in + worked.incrementAndGet())
            .activity(
                LONG,
                (ctx, in) -> {
                  release.await(World.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                  return in;
                })
            .orchestration(ECHO, (ctx, in) -> in)
            .orchestration(
                FAIL,
                (ctx, in) -> {
                  throw new OrchestrationFailure("boom");
                })
            .orchestration(WAIT, (ctx, in) -> ctx.waitFor(GO).await())
            .orchestration(SLEEP, (ctx, in) -> ctx.timer(Duration.ofDays(1)).await().toString())
            .orchestration(STUCK, (ctx, in) -> ctx.call(LONG, in).await())
            .orchestration(
                STEPS,
                (ctx, in) -> {
                  ctx.call(WORK, in).await();
                  ctx.call(WORK, in).await();
                  return ctx.call(WORK, in).await();
                })
            .orchestration(
                PARENT,
                (ctx, in) ->
                    ctx.call(WAIT, "", ChildOptions.instanceId(in + "-a")).await()
                        + ctx.call(ECHO, "b", ChildOptions.instanceId(in + "-b")).await())
            .orchestration(
                DEEP, (ctx, n) -> n == 0 ? "bottom" : ctx.call(DEEP, n - 1).await() + n));
  }

  private void gone(String... instances) {
    for (String instance : instances) {
      assertThat(world.client().status(instance)).isInstanceOf(OrchestrationStatus.NotFound.class);
      assertThat(world.history(instance)).isEmpty();
    }
  }

  @Test
  @DisplayName("E2E-700 what completed or failed is deleted without force")
  void finished() {
    startNode();
    world.client().start(ECHO, "completed", "out");
    world.client().start(FAIL, "failed", "");
    world.end("completed");
    world.end("failed");
    try (Logs logs = Logs.of("io.duroxide.management", Level.INFO)) {
      assertThat(management().delete("completed", Force.NO))
          .isEqualTo(new DeleteResult(1, 1, 2, 0));
      assertThat(Logs.fields(logs.written().getFirst()))
          .containsEntry("instance_id", "completed")
          .containsEntry("events_deleted", "2");
    }
    assertThat(management().delete("failed", Force.NO)).isEqualTo(new DeleteResult(1, 1, 2, 0));
    gone("completed", "failed");
    assertThat(management().metrics()).isEqualTo(new SystemMetrics(0, 0, 0, 0, 0, 0));
  }

  @Test
  @DisplayName(
      "E2E-701 E2E-706 whatever an instance waits for, force deletes it, and others run on")
  void forced() {
    startNode();
    world.client().start(STUCK, "activity", "");
    world.client().start(SLEEP, "timer", "");
    world.client().start(WAIT, "event", "");
    world.awaitEvent("activity", EventKind.ActivityScheduled.class);
    world.awaitEvent("timer", EventKind.TimerCreated.class);
    world.awaitEvent("event", EventKind.ExternalSubscribed.class);
    for (String instance : List.of("activity", "timer", "event")) {
      stillRunning(() -> management().delete(instance, Force.NO));
      assertThat(management().delete(instance, Force.YES).instancesDeleted()).isEqualTo(1);
    }
    release.countDown();
    gone("activity", "timer", "event");
    world.client().start(STEPS, "next", "n");
    assertThat(world.output("next")).isEqualTo("n3");
    assertThat(worked).hasValue(3);
    Quiet.await(world);
    assertThat(management().depths()).isEqualTo(QueueDepths.EMPTY);
    gone("activity", "timer", "event");
  }

  @Test
  @DisplayName("E2E-702 E2E-705 a child is not deleted alone; its parent takes it along")
  void cascade() {
    startNode();
    world.client().start(PARENT, "p", "p");
    world.until(() -> !world.history("p-a").isEmpty());
    world.client().raiseEvent("p-a", GO, "go");
    world.until(() -> world.client().status("p-a").isTerminal());
    assertThat(world.output("p")).isEqualTo("gob");
    for (Force force : Force.values()) {
      assertThatThrownBy(() -> management().delete("p-a", force))
          .isInstanceOf(ManagementException.CannotDeleteSubOrchestration.class)
          .hasMessageContaining("'p'");
    }
    assertThat(management().delete("p", Force.NO).instancesDeleted()).isEqualTo(3);
    gone("p", "p-a", "p-b");
  }

  @Test
  @DisplayName("E2E-703 all levels of a tree go with its root, and are counted")
  void levels() {
    startNode();
    world.client().start(DEEP, "d", 2);
    assertThat(world.output("d")).isEqualTo("bottom12");
    SystemMetrics before = management().metrics();
    assertThat(before.totalInstances()).isEqualTo(3);
    assertThat(management().delete("d", Force.NO))
        .isEqualTo(new DeleteResult(3, 3, before.totalEvents(), 0));
    assertThat(management().metrics()).isEqualTo(new SystemMetrics(0, 0, 0, 0, 0, 0));
  }

  @Test
  @DisplayName("E2E-704 an id can be used again, after a normal and after a forced deletion")
  void idsAgain() {
    startNode();
    world.client().start(ECHO, "x", "first");
    assertThat(world.output("x")).isEqualTo("first");
    management().delete("x", Force.NO);
    world.client().start(WAIT, "x", "");
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    management().delete("x", Force.YES);
    world.client().start(ECHO, "x", "third");
    assertThat(world.output("x")).isEqualTo("third");
    assertThat(world.history("x")).hasSize(2);
    assertThat(management().executions("x", 0, 10)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-705 what cannot be deleted is refused by name")
  void refusals() {
    startNode();
    world.client().start(WAIT, "running", "");
    world.awaitEvent("running", EventKind.ExternalSubscribed.class);
    assertThatThrownBy(() -> management().delete("nobody", Force.YES))
        .isInstanceOf(ManagementException.InstanceNotFound.class)
        .hasMessageContaining("nobody");
    stillRunning(() -> management().delete("running", Force.NO));
    assertThat(world.client().status("running")).isInstanceOf(OrchestrationStatus.Running.class);
  }

  @Test
  @DisplayName("E2E-707 of two deletions at once one succeeds, and the instance is gone")
  void atOnce() throws Exception {
    startNode();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        world.client().start(ECHO, "x", "out");
        world.end("x");
        Callable<Long> delete = () -> management().delete("x", Force.NO).instancesDeleted();
        List<Future<Long>> both = threads.invokeAll(List.of(delete, delete));
        assertThat(both.stream().mapToLong(DeletionTest::deleted).sum()).isEqualTo(1);
        gone("x");
      }
    }
  }

  private static long deleted(Future<Long> deletion) {
    try {
      return deletion.get();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(ManagementException.InstanceNotFound.class);
      return 0;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("E2E-709 a parent is not deleted without its children; the whole tree is")
  void exactly() {
    startNode();
    world.client().start(DEEP, "d", 1);
    world.end("d");
    List<String> tree = management().tree("d").instances();
    assertThatThrownBy(() -> management().deleteExactly(List.of("d"), Force.YES))
        .isInstanceOfSatisfying(
            ManagementException.TreeChanged.class, e -> assertThat(e.retryable()).isTrue());
    assertThat(management().tree("d").size()).isEqualTo(2);
    assertThat(management().deleteExactly(tree, Force.NO).instancesDeleted()).isEqualTo(2);
    gone("d");
  }

  @Test
  @DisplayName("E2E-710 bulk: by ids, in batches, without what runs, with children")
  void bulk() {
    startNode();
    for (String instance : List.of("a", "b", "c", "d", "e", "f")) {
      world.client().start(ECHO, instance, "");
      world.end(instance);
    }
    world.client().start(WAIT, "running", "");
    world.awaitEvent("running", EventKind.ExternalSubscribed.class);
    InstanceFilter two = InstanceFilter.ids(List.of("a", "b", "running", "nobody"));
    assertThat(bulk(two, BulkDeletion.DEFAULT.asDryRun())).isEqualTo(2);
    assertThat(bulk(two, BulkDeletion.DEFAULT)).isEqualTo(2);
    gone("a", "b");
    BulkDeletion batch = BulkDeletion.DEFAULT.withLimit(2);
    assertThat(bulk(InstanceFilter.ALL, batch)).isEqualTo(2);
    assertThat(bulk(InstanceFilter.ALL, batch)).isEqualTo(2);
    assertThat(bulk(InstanceFilter.ALL, batch)).isZero();
    world.client().start(DEEP, "deep", 3);
    world.end("deep");
    assertThat(bulk(InstanceFilter.ALL.named("Deep"), BulkDeletion.DEFAULT)).isEqualTo(4);
    assertThat(world.client().status("running")).isInstanceOf(OrchestrationStatus.Running.class);
  }

  private long bulk(InstanceFilter filter, BulkDeletion how) {
    return management().deleteBulk(filter, how).instancesDeleted();
  }

  @Test
  @DisplayName("E2E-955 bulk passes over an instance between two executions, which then runs on")
  void betweenExecutions() {
    world.start(node ->
        node.orchestration(
            ECHO, (ctx, in) -> ctx.continueAsNew("new", ContinueOptions.version("2.0.0"))));
    world.client().start(ECHO, "eternal", "old");
    awaitEvent("eternal", 1, EventKind.OrchestrationContinuedAsNew.class);
    world.advance(Duration.ofMinutes(1));
    InstanceFilter past = InstanceFilter.ALL.completedBefore(world.clock().instant());
    assertThat(management().list(InstanceQuery.firstPage(past, 1)).rows())
        .extracting(InstanceInfo::status)
        .containsExactly(ExecutionStatus.CONTINUED_AS_NEW);
    for (InstanceFilter filter :
        List.of(past, InstanceFilter.ALL, InstanceFilter.ids(List.of("eternal")))) {
      assertThat(bulk(filter, BulkDeletion.DEFAULT.includingRunningDescendants())).isZero();
    }
    stillRunning(() -> management().delete("eternal", Force.NO));
    world.start(node -> node.orchestration(ECHO, "2.0.0", (ctx, in) -> in));
    assertThat(world.output("eternal")).isEqualTo("new");
    assertThat(bulk(past, BulkDeletion.DEFAULT)).isZero();
    assertThat(bulk(InstanceFilter.ALL, BulkDeletion.DEFAULT)).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-955 bulk passes over a tree with a member that runs")
  void partlyRunning() {
    world.start(node ->
        node.orchestration(
            PARENT,
            (ctx, in) -> {
              ctx.call(WAIT, "", ChildOptions.instanceId("child"));
              return ctx.waitFor(GO).await();
            }));
    DuroxideRuntime other =
        world.start(node -> node.orchestration(WAIT, (ctx, in) -> ctx.waitFor(GO).await()));
    world.client().start(PARENT, "p", "");
    world.awaitEvent("child", EventKind.ExternalSubscribed.class);
    other.shutdown(Duration.ZERO);
    world.client().raiseEvent("p", GO, "done");
    assertThat(world.output("p")).isEqualTo("done");
    assertThat(bulk(InstanceFilter.ALL, BulkDeletion.DEFAULT)).isZero();
    stillRunning(() -> management().delete("p", Force.NO));
    assertThat(management().tree("p").size()).isEqualTo(2);
    BulkDeletion all = BulkDeletion.DEFAULT.includingRunningDescendants();
    assertThat(bulk(InstanceFilter.ALL, all.asDryRun())).isEqualTo(2);
    assertThat(bulk(InstanceFilter.ALL, all)).isEqualTo(2);
    gone("p", "child");
  }

  private static void stillRunning(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ManagementException.InstanceStillRunning.class);
  }
}
