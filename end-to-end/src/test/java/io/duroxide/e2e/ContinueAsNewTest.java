package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ContinueAsNewTest extends Scenario {
  private static final Orchestration<Integer, String> COUNTER =
      Orchestration.of("Counter", Integer.class, String.class);
  private static final Orchestration<String, String> TWICE = texts("Twice");
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  private void runCounter(int last, String prefix) {
    world.start(node ->
        node.orchestration(COUNTER, (ctx, n) -> n < last ? ctx.continueAsNew(n + 1) : prefix + n));
  }

  private ExecutionStatus status(String instance, long executionId) {
    return admin().executionInfo(new ExecutionKey(instance, executionId)).status();
  }

  private EventKind.OrchestrationStarted started(String instance, long executionId) {
    return (EventKind.OrchestrationStarted) kinds(instance, executionId).getFirst();
  }

  @Test
  @DisplayName("E2E-190 E2E-200 OR-080 a counter continues as new until it is 2")
  void counter() {
    runCounter(2, "done:");

    world.client().start(COUNTER, "c", 0);

    assertThat(world.output("c")).isEqualTo("done:2");
    assertThat(admin().listExecutions("c")).containsExactly(1L, 2L, 3L);
    for (long execution : List.of(1L, 2L)) {
      String next = Long.toString(execution);
      assertThat(kinds("c", execution).getLast())
          .isEqualTo(new EventKind.OrchestrationContinuedAsNew(next));
      assertThat(status("c", execution)).isEqualTo(ExecutionStatus.CONTINUED_AS_NEW);
      assertThat(admin().executionInfo(new ExecutionKey("c", execution)).output()).isEqualTo(next);
      assertThat(started("c", execution + 1).input()).isEqualTo(next);
    }
    assertThat(world.history("c")).isEqualTo(world.history("c", 3));
    assertThat(kinds("c", 3).getLast()).isEqualTo(new EventKind.OrchestrationCompleted("done:2"));
  }

  @Test
  @DisplayName("E2E-191 OR-082 what follows a continue-as-new has no effect, returned or not")
  void statementsAfterwards() {
    AtomicInteger reached = new AtomicInteger();
    world.start(node ->
        node.activity(WORK, (ctx, in) -> in)
            .orchestration(
                COUNTER,
                (ctx, n) -> {
                  if (n < 2) {
                    ctx.<String>continueAsNew(n + 1);
                    reached.incrementAndGet();
                    ctx.call(WORK, "late");
                    return "wrong";
                  }
                  return "done:" + n;
                }));

    world.client().start(COUNTER, "c", 0);

    assertThat(world.output("c")).isEqualTo("done:2");
    assertThat(admin().listExecutions("c")).containsExactly(1L, 2L, 3L);
    assertThat(reached).hasValue(0);
    assertThat(kinds("c", 1)).hasSize(2);
  }

  @Test
  @DisplayName("OR-082 statements in a finally block after continue-as-new have no effect")
  void finallyAfterwards() {
    AtomicInteger calls = new AtomicInteger();
    world.start(node ->
        node.activity(WORK, (ctx, in) -> Integer.toString(calls.incrementAndGet()))
            .orchestration(
                COUNTER,
                (ctx, n) -> {
                  if (n == 1) {
                    return "done";
                  }
                  try {
                    return ctx.continueAsNew(1);
                  } finally {
                    ctx.call(WORK, "late");
                    ctx.setCustomStatus("late");
                  }
                }));

    world.client().start(COUNTER, "c", 0);

    assertThat(world.output("c")).isEqualTo("done");
    assertThat(kinds("c", 1)).hasSize(2);
    assertThat(calls).hasValue(0);
    assertThat(world.client().status("c").customStatus().status()).isNull();
  }

  /** Continues at once; the second execution waits for the event {@code go}. */
  private void secondExecutionWaits() {
    world.start(node ->
        node.activity(WORK, (ctx, in) -> in)
            .orchestration(
                TWICE,
                (ctx, in) -> {
                  if (ctx.executionId() == 1) {
                    return ctx.continueAsNew("second");
                  }
                  ctx.timer(HOUR);
                  return in + ":" + ctx.waitForEvent("go").await();
                }));
    world.client().start(TWICE, "t", "first");
    awaitEvent("t", 2, EventKind.ExternalSubscribed.class);
  }

  @Test
  @DisplayName(
      "E2E-192 E2E-193 OR-081 outcomes for older and future executions are ignored, whatever their"
          + " kind")
  void foreignOutcomes() {
    secondExecutionWaits();
    List<Event> before = world.history("t");

    for (long execution : List.of(1L, 3L, 99L)) {
      batch(
          new WorkItem.ActivityCompleted("t", execution, 2, "wrong"),
          new WorkItem.TimerFired("t", execution, 2, world.clock().instant()),
          new WorkItem.SubOrchCompleted("t", execution, 2, "wrong"),
          new WorkItem.ActivityCompleted("t", execution, 3, "wrong"));
    }
    awaitDrained();
    assertThat(world.history("t")).isEqualTo(before);
    assertThat(admin().listExecutions("t")).containsExactly(1L, 2L);
    world.client().raiseEvent("t", "go", "ok");

    assertThat(world.output("t")).isEqualTo("second:ok");
    assertThat(kinds("t", 2)).noneMatch(EventKind.Completion.class::isInstance);
  }

  @Test
  @DisplayName(
      "E2E-194 E2E-195 OR-081 an activity running at the switch is cancelled, its late result"
          + " discarded")
  void lateActivity() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch returned = new CountDownLatch(1);
    AtomicBoolean cancelled = new AtomicBoolean();
    world.start(node ->
        node.activity(
                WORK,
                (ctx, in) -> {
                  running.countDown();
                  cancelled.set(ctx.awaitCancelled(World.PATIENCE));
                  returned.countDown();
                  return "late";
                })
            .orchestration(
                TWICE,
                (ctx, in) -> {
                  if (ctx.executionId() == 1) {
                    ctx.call(WORK, "long");
                    ctx.waitForEvent("switch").await();
                    return ctx.continueAsNew("second");
                  }
                  return in + ":" + ctx.waitForEvent("go").await();
                }));
    world.client().start(TWICE, "t", "first");
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

    world.client().raiseEvent("t", "switch", "");
    awaitEvent("t", 2, EventKind.ExternalSubscribed.class);
    assertThat(returned.await(30, TimeUnit.SECONDS)).isTrue();
    world.until(() -> admin().queueDepths().worker().locked() == 0);
    awaitDrained();
    world.client().raiseEvent("t", "go", "ok");

    assertThat(world.output("t")).isEqualTo("second:ok");
    assertThat(cancelled).isTrue();
    assertThat(kinds("t", 1))
        .contains(new EventKind.ActivityCancelRequested("orchestration_terminal_continued_as_new"))
        .noneMatch(EventKind.ActivityCompleted.class::isInstance);
    assertThat(kinds("t", 2)).noneMatch(EventKind.ActivityCompleted.class::isInstance);
  }

  @Test
  @DisplayName("OR-081 a timer and a child of an older execution do not reach the next one")
  void lateTimerAndChild() {
    Orchestration<String, String> child = texts("Child");
    world.start(node ->
        node.orchestration(child, (ctx, in) -> ctx.waitForEvent("answer").await())
            .orchestration(
                TWICE,
                (ctx, in) -> {
                  if (ctx.executionId() == 1) {
                    ctx.timer(HOUR);
                    ctx.call(child, "");
                    ctx.waitForEvent("switch").await();
                    return ctx.continueAsNew("second");
                  }
                  return in + ":" + ctx.waitForEvent("go").await();
                }));
    world.client().start(TWICE, "t", "first");
    world.awaitEvent("t::sub::3", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("t", "switch", "");
    awaitEvent("t", 2, EventKind.ExternalSubscribed.class);
    assertThat(world.failure("t::sub::3")).isEqualTo("canceled: parent continued as new");
    world.advance(HOUR);
    awaitDrained();
    world.client().raiseEvent("t", "go", "ok");

    assertThat(world.output("t")).isEqualTo("second:ok");
    assertThat(kinds("t", 2)).noneMatch(EventKind.Completion.class::isInstance);
  }

  @Test
  @DisplayName("E2E-196 OR-080 a chain of five has five executions, each with a history of its own")
  void chainOfFive() {
    runCounter(5, "end:");

    world.client().start(COUNTER, "c", 1);

    assertThat(world.output("c")).isEqualTo("end:5");
    assertThat(admin().listExecutions("c")).containsExactly(1L, 2L, 3L, 4L, 5L);
    for (long execution = 1; execution <= 5; execution++) {
      Event first = world.history("c", execution).getFirst();
      assertThat(first.id()).isEqualTo(1);
      assertThat(first.execution()).isEqualTo(new ExecutionKey("c", execution));
      assertThat(started("c", execution).input()).isEqualTo(Long.toString(execution));
      assertThat(status("c", execution))
          .isEqualTo(execution < 5 ? ExecutionStatus.CONTINUED_AS_NEW : ExecutionStatus.COMPLETED);
    }
  }

  @Test
  @DisplayName("E2E-197 E2E-198 OR-080 concurrent chains with an activity per step do not mix")
  void concurrentChains() {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    world.start(node ->
        node.activity(
                WORK,
                (ctx, in) -> {
                  seen.add(in);
                  return in.toUpperCase(java.util.Locale.ROOT);
                })
            .orchestration(
                TWICE,
                (ctx, in) -> {
                  String so =
                      in + ctx.call(WORK, "<" + ctx.instanceId() + ctx.executionId() + ">").await();
                  return ctx.executionId() < 5 ? ctx.continueAsNew(so) : so;
                }));

    List<String> chains = IntStream.range(0, 6).mapToObj(n -> "chain-" + (char) ('a' + n)).toList();
    chains.forEach(chain -> world.client().start(TWICE, chain, ""));

    for (String chain : chains) {
      String name = chain.toUpperCase(java.util.Locale.ROOT);
      assertThat(world.output(chain))
          .isEqualTo("<%1$s1><%1$s2><%1$s3><%1$s4><%1$s5>".formatted(name));
      assertThat(admin().listExecutions(chain)).containsExactly(1L, 2L, 3L, 4L, 5L);
      for (long execution = 1; execution <= 5; execution++) {
        String expected = "<" + name + execution + ">";
        assertThat(kinds(chain, execution))
            .anyMatch(kind ->
                kind instanceof EventKind.ActivityCompleted completed
                    && completed.result().equals(expected));
      }
    }
    assertThat(seen).hasSize(30);
  }

  @Test
  @DisplayName("E2E-199 OR-080 a value rolled to 3 leaves executions 1 to 4")
  void sample() {
    runCounter(3, "final:");

    world.client().start(COUNTER, "c", 0);

    assertThat(world.output("c")).isEqualTo("final:3");
    assertThat(admin().listExecutions("c")).containsExactly(1L, 2L, 3L, 4L);
    assertThat(admin().latestExecutionId("c")).isEqualTo(4);
  }

  /** What an actor knows. */
  record Actor(String name, int iteration, List<String> healthy) {}

  @Test
  @DisplayName(
      "E2E-820 OR-080 several actors check health and continue as new, five executions each")
  void actors() {
    Orchestration<Actor, String> actorLoop = Orchestration.of("Actor", Actor.class, String.class);
    Activity<String, String> fetch = Activity.of("Fetch", String.class, String.class);
    Activity<String, Boolean> health = Activity.of("Health", String.class, Boolean.class);
    AtomicInteger checks = new AtomicInteger();
    world.start(node ->
        node.activity(fetch, (ctx, name) -> "address of " + name)
            .activity(
                health,
                (ctx, address) -> {
                  checks.incrementAndGet();
                  return address.startsWith("address of ");
                })
            .activity(WORK, (ctx, in) -> "stored " + in)
            .orchestration(
                actorLoop,
                (ctx, actor) -> {
                  String address = ctx.call(fetch, actor.name()).await();
                  boolean up = ctx.call(health, address).await();
                  String stored = ctx.call(WORK, actor.name() + up).await();
                  List<String> all =
                      java.util.stream.Stream.concat(
                              actor.healthy().stream(), java.util.stream.Stream.of(stored))
                          .toList();
                  return actor.iteration() < 5
                      ? ctx.continueAsNew(new Actor(actor.name(), actor.iteration() + 1, all))
                      : String.join(";", all);
                }));

    List<String> names = List.of("one", "two", "three");
    names.forEach(name -> world.client().start(actorLoop, name, new Actor(name, 1, List.of())));

    for (String name : names) {
      assertThat(world.output(name))
          .isEqualTo(String.join(";", java.util.Collections.nCopies(5, "stored " + name + "true")));
      assertThat(admin().listExecutions(name))
          .isEqualTo(LongStream.rangeClosed(1, 5).boxed().toList());
      for (int execution = 1; execution <= 5; execution++) {
        assertThat(started(name, execution).input())
            .contains("\"name\":\"" + name + "\"", "\"iteration\":" + execution);
      }
    }
    assertThat(checks).hasValue(15);
    assertThat(world.client().status("one")).isInstanceOf(OrchestrationStatus.Completed.class);
  }
}
