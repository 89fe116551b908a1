package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.management.InstanceTree;
import io.duroxide.management.Management;
import io.duroxide.management.ManagementException;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.Provider;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ManagementTest extends Scenario {
  private static final Orchestration<String, String> ECHO = texts("Echo");
  private static final Orchestration<String, String> WAIT = texts("Wait");
  private static final Orchestration<String, String> FAIL = texts("Fail");
  private static final Orchestration<String, String> PARENT = texts("Parent");
  private static final Orchestration<Integer, String> COUNT =
      Orchestration.of("Count", Integer.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);
  private static final InstanceQuery ALL = InstanceQuery.firstPage(100);

  private Management management() {
    return Management.of(world.store());
  }

  private void startNode() {
    world.start(node ->
        node.activity(WORK, (ctx, in) -> in + "!")
            .orchestration(ECHO, (ctx, in) -> in)
            .orchestration(WAIT, (ctx, in) -> ctx.waitFor(GO).await())
            .orchestration(
                FAIL,
                (ctx, in) -> {
                  throw new OrchestrationFailure("boom");
                })
            .orchestration(
                PARENT,
                (ctx, in) ->
                    ctx.call(ECHO, "a", ChildOptions.instanceId("child-a")).await()
                        + ctx.call(ECHO, "b", ChildOptions.instanceId("child-b")).await())
            .orchestration(COUNT, ManagementTest::count));
  }

  private static String count(OrchestrationContext ctx, int n) {
    ctx.call(WORK, "step " + n).await();
    return n < 3 ? ctx.continueAsNew(n + 1) : "end";
  }

  private List<String> ids(InstanceFilter filter) {
    return management().list(InstanceQuery.firstPage(filter, 100)).rows().stream()
        .map(InstanceInfo::instance)
        .toList();
  }

  @Test
  @DisplayName("E2E-680 a store without management says so")
  void notAvailable() {
    assertThat(management().list(ALL).rows()).isEmpty();
    Provider bare = WithoutManagement.of(world.store());
    assertThatThrownBy(() -> Management.of(bare))
        .isInstanceOf(ManagementException.NotAvailable.class)
        .hasMessageContaining(world.store().name());
  }

  @Test
  @DisplayName("E2E-681 instances are listed, all and by status")
  void listed() {
    startNode();
    world.client().start(ECHO, "one", "1");
    world.client().start(FAIL, "two", "2");
    world.client().start(WAIT, "three", "3");
    world.end("one");
    world.end("two");
    world.awaitEvent("three", EventKind.ExternalSubscribed.class);
    assertThat(ids(InstanceFilter.ALL)).containsExactlyInAnyOrder("one", "two", "three");
    assertThat(ids(InstanceFilter.ALL.withStatuses(ExecutionStatus.COMPLETED)))
        .containsExactly("one");
    assertThat(ids(InstanceFilter.ALL.withStatuses(ExecutionStatus.FAILED))).containsExactly("two");
    assertThat(ids(InstanceFilter.running())).containsExactly("three");
    assertThat(ids(InstanceFilter.ALL.withStatuses(ExecutionStatus.CONTINUED_AS_NEW))).isEmpty();
    assertThat(admin().listInstancesByStatus("Nonsense")).isEmpty();
  }

  @Test
  @DisplayName("E2E-681 a listing comes in pages that begin where the last one ended")
  void pages() {
    startNode();
    for (int i = 0; i < 7; i++) {
      world.client().start(ECHO, "e" + i, "");
      world.end("e" + i);
      world.advance(Duration.ofMillis(1));
    }
    List<String> seen = new ArrayList<>();
    InstancePage page = management().list(InstanceQuery.firstPage(InstanceFilter.finished(), 3));
    page.rows().forEach(row -> seen.add(row.instance()));
    while (page.next() != null) {
      world.client().start(ECHO, "late" + seen.size(), "");
      world.end("late" + seen.size());
      page =
          management()
              .list(InstanceQuery.firstPage(InstanceFilter.finished(), 3).after(page.next()));
      page.rows().forEach(row -> seen.add(row.instance()));
    }
    assertThat(seen).containsExactly("e6", "e5", "e4", "e3", "e2", "e1", "e0");
    assertThatThrownBy(() -> management().list(ALL.after("nonsense")))
        .isInstanceOf(ManagementException.InvalidInput.class);
  }

  @Test
  @DisplayName("E2E-682 everything is known of an instance; an unknown one is not found")
  void instanceInfo() {
    startNode();
    Instant began = world.clock().instant();
    world.client().start(ECHO, "e", "out");
    world.end("e");
    InstanceInfo info = management().instance("e");
    assertThat(info.current()).isEqualTo(new ExecutionKey("e", 1));
    assertThat(info.orchestration().name()).isEqualTo("Echo");
    assertThat(info.orchestration().version()).isEqualTo("1.0.0");
    assertThat(info.status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(info.output()).isEqualTo("out");
    assertThat(info.parent()).isNull();
    assertThat(info.createdAt()).isEqualTo(began);
    assertThat(info.updatedAt()).isEqualTo(began);
    assertThat(info.completedAt()).isEqualTo(began);
    notFound(() -> management().instance("nobody"));
  }

  @Test
  @DisplayName("E2E-683 an execution and its history")
  void execution() {
    startNode();
    world.client().start(ECHO, "e", "out");
    world.end("e");
    ExecutionKey key = new ExecutionKey("e", 1);
    ExecutionInfo info = management().execution(key);
    assertThat(info.status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(info.output()).isEqualTo("out");
    assertThat(info.eventCount()).isEqualTo(2);
    assertThat(management().history(key))
        .extracting(Event::kind)
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(EventKind.OrchestrationStarted.class),
            last -> assertThat(last).isEqualTo(new EventKind.OrchestrationCompleted("out")));
    assertThat(management().history(key, 1, 10)).extracting(Event::id).containsExactly(2L);
  }

  @Test
  @DisplayName("E2E-684 E2E-689 each execution of a chain is shown and can be read by itself")
  void executions() {
    startNode();
    world.client().start(COUNT, "c", 0);
    assertThat(world.output("c")).isEqualTo("end");
    List<ExecutionInfo> executions = management().executions("c", 0, 10);
    assertThat(executions).extracting(ExecutionInfo::executionId).containsExactly(1L, 2L, 3L, 4L);
    assertThat(executions)
        .extracting(ExecutionInfo::status)
        .containsExactly(
            ExecutionStatus.CONTINUED_AS_NEW,
            ExecutionStatus.CONTINUED_AS_NEW,
            ExecutionStatus.CONTINUED_AS_NEW,
            ExecutionStatus.COMPLETED);
    assertThat(management().instance("c").current().executionId()).isEqualTo(4);
    for (long execution : LongStream.rangeClosed(1, 4).toArray()) {
      List<Event> events = management().history(new ExecutionKey("c", execution));
      assertThat(events).hasSize(4);
      assertThat(events.getFirst().kind())
          .isInstanceOfSatisfying(
              EventKind.OrchestrationStarted.class,
              started -> assertThat(started.input()).isEqualTo(Long.toString(execution - 1)));
    }
  }

  @Test
  @DisplayName("E2E-685 E2E-686 totals over the store, and queues that are empty once all is done")
  void totals() {
    startNode();
    world.client().start(ECHO, "a", "");
    world.client().start(ECHO, "b", "");
    world.client().start(FAIL, "c", "");
    world.client().start(WAIT, "d", "");
    for (String instance : List.of("a", "b", "c")) {
      world.end(instance);
    }
    world.awaitEvent("d", EventKind.ExternalSubscribed.class);
    Quiet.await(world);
    assertThat(management().metrics()).isEqualTo(new SystemMetrics(4, 4, 8, 1, 2, 1));
    assertThat(management().depths()).isEqualTo(QueueDepths.EMPTY);
  }

  @Test
  @DisplayName("E2E-687 what is unknown is not found, and has neither executions nor history")
  void unknown() {
    startNode();
    world.client().start(ECHO, "e", "");
    world.end("e");
    notFound(() -> management().instance("nobody"));
    notFound(() -> management().execution(new ExecutionKey("nobody", 1)));
    notFound(() -> management().execution(new ExecutionKey("e", 2)));
    notFound(() -> management().tree("nobody"));
    notFound(() -> management().parent("nobody"));
    assertThat(management().executions("nobody", 0, 10)).isEmpty();
    assertThat(management().history(new ExecutionKey("nobody", 1))).isEmpty();
    assertThat(management().children("nobody")).isEmpty();
  }

  @Test
  @DisplayName("E2E-688 all views of five workflows agree")
  void consistent() {
    startNode();
    for (int i = 0; i < 5; i++) {
      world.client().start(COUNT, "c" + i, i);
    }
    long executions = 0;
    long events = 0;
    for (int i = 0; i < 5; i++) {
      world.end("c" + i);
    }
    InstancePage page = management().list(ALL);
    assertThat(page.rows()).hasSize(5);
    for (InstanceInfo row : page.rows()) {
      assertThat(row).isEqualTo(management().instance(row.instance()));
      assertThat(row.status()).isEqualTo(ExecutionStatus.COMPLETED);
      List<ExecutionInfo> all = management().executions(row.instance(), 0, 100);
      assertThat(all.getLast().executionId()).isEqualTo(row.current().executionId());
      assertThat(all.getLast().output()).isEqualTo(row.output());
      for (ExecutionInfo one : all) {
        ExecutionKey key = new ExecutionKey(row.instance(), one.executionId());
        assertThat(management().history(key)).hasSize((int) one.eventCount());
        events += one.eventCount();
      }
      executions += all.size();
    }
    assertThat(management().metrics()).isEqualTo(new SystemMetrics(5, executions, events, 0, 5, 0));
  }

  @Test
  @DisplayName("E2E-690 E2E-708 the tree of a parent with two children")
  void tree() {
    startNode();
    world.client().start(PARENT, "p", "");
    assertThat(world.output("p")).isEqualTo("ab");
    InstanceTree tree = management().tree("p");
    assertThat(tree.root()).isEqualTo("p");
    assertThat(tree.instances()).containsExactlyInAnyOrder("p", "child-a", "child-b");
    assertThat(tree.isRootOnly()).isFalse();
    assertThat(tree.size()).isEqualTo(3);
    assertThat(management().tree("child-a").isRootOnly()).isTrue();
    assertThat(management().children("p")).containsExactlyInAnyOrder("child-a", "child-b");
    assertThat(management().parent("child-a")).contains("p");
    assertThat(management().parent("p")).isEmpty();
    assertThat(ids(InstanceFilter.ALL.childrenOf("p")))
        .containsExactlyInAnyOrder("child-a", "child-b");
    assertThat(ids(InstanceFilter.ALL.roots())).containsExactly("p");
  }

  @Test
  @DisplayName("E2E-691 size figures of an instance; none of an unknown one")
  void stats() {
    world.start(node ->
        node.orchestration(
            WAIT,
            (ctx, in) -> {
              ctx.kv().putText("k", "abc");
              ctx.kv().putText("l", "de");
              return ctx.waitFor(GO).await();
            }));
    world.client().start(WAIT, "w", "");
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);
    InstanceStats stats = world.client().stats("w").orElseThrow();
    assertThat(stats.historyEventCount()).isEqualTo(4);
    assertThat(stats.historySizeBytes()).isGreaterThan(100);
    assertThat(stats.kvUserKeyCount()).isEqualTo(2);
    assertThat(stats.kvTotalValueBytes()).isEqualTo(5);
    assertThat(stats.queuePendingCount()).isZero();
    assertThat(world.client().stats("nobody")).isEmpty();
  }

  private static void notFound(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ManagementException.InstanceNotFound.class, e -> assertThat(e.retryable()).isFalse());
  }
}
