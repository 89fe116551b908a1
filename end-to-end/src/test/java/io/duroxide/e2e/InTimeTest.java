package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Awaited;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is stored before a deadline is in time, also if no node takes a turn until much later. */
class InTimeTest extends EachStoreScenario {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Orchestration<String, String> WAITING =
      Orchestration.of("Waiting", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final ExternalEvent<String> ANSWER = ExternalEvent.of("answer", String.class);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);

  private OrchestrationHandler<String, String> code = (ctx, input) -> input;
  private Instant began;

  /** Begins an instance, lets it come to its waits, and stops the node. */
  private void begin(OrchestrationHandler<String, String> waitingCode, int timers) {
    code = waitingCode;
    began = world.clock().instant();
    node();
    world.client().start(WAITING, "x", "");
    world.until(() -> world.events("x", EventKind.TimerCreated.class).size() == timers);
    world.stopRuntimes();
  }

  private void node() {
    world.start(node -> node.orchestration(WAITING, code));
  }

  private void advanceTo(Duration sinceBegin) {
    world.advance(Duration.between(world.clock().instant(), began.plus(sinceBegin)));
  }

  /** Long after everything is due a node comes back. */
  private String resumed() {
    advanceTo(Duration.ofDays(1));
    node();
    return world.output("x");
  }

  private static String orLate(Awaited<String> awaited) {
    return switch (awaited) {
      case Awaited.Got<String> got -> got.value();
      case Awaited.TimedOut<String> late -> "late";
    };
  }

  private static OrchestrationHandler<String, String> awaiting(
      Function<OrchestrationContext, DurableFuture<String>> wait) {
    return (ctx, input) -> orLate(wait.apply(ctx).await(LIMIT));
  }

  private static Duration before(Duration limit) {
    return limit.minusMillis(1);
  }

  @Test
  @DisplayName("EN-001 an event stored before the deadline wins although no node ran in between")
  void event() {
    begin(awaiting(ctx -> ctx.waitFor(ANSWER)), 1);
    advanceTo(before(LIMIT));
    world.client().raiseEvent("x", ANSWER, "yes");

    assertThat(resumed()).isEqualTo("yes");
  }

  @Test
  @DisplayName("EN-002 a mailbox message stored before the deadline wins likewise")
  void message() {
    begin(awaiting(ctx -> ctx.dequeue(MAIL)), 1);
    advanceTo(before(LIMIT));
    world.client().enqueue("x", MAIL, "yes");

    assertThat(resumed()).isEqualTo("yes");
  }

  /** A worker that knows no orchestration reports an outcome. */
  private void work(String result) throws InterruptedException {
    LockedWork work =
        world
            .store()
            .fetchWorkItem(WorkFetch.of(Duration.ofMinutes(1), Duration.ZERO))
            .orElseThrow();
    world
        .store()
        .ackWorkItem(
            work.lockToken(),
            new WorkItem.ActivityCompleted(
                "x", work.key().executionId(), work.key().activityId(), result));
  }

  @Test
  @DisplayName("EN-003 an activity outcome stored before the deadline wins likewise")
  void outcome() throws InterruptedException {
    begin(awaiting(ctx -> ctx.call(WORK, "")), 1);
    advanceTo(before(LIMIT));
    work("yes");

    assertThat(resumed()).isEqualTo("yes");
  }

  @Test
  @DisplayName("EN-003 and within the time limit of a retry policy")
  void outcomeOfRetry() throws InterruptedException {
    begin((ctx, input) -> ctx.call(WORK, "", ActivityOptions.retry(3).timeout(LIMIT)).await(), 1);
    advanceTo(before(LIMIT));
    work("yes");

    assertThat(resumed()).isEqualTo("yes");
  }

  @Test
  @DisplayName("EN-004 a child's result stored before the deadline wins likewise")
  void child() {
    begin(awaiting(ctx -> ctx.call(CHILD, "yes")), 1);
    advanceTo(before(LIMIT));
    world.start(node -> node.orchestration(CHILD, (ctx, input) -> input));
    world.until(() -> messages().ready() == 1);
    world.stopRuntimes();

    assertThat(resumed()).isEqualTo("yes");
  }

  @Test
  @DisplayName("EN-005 an event stored after the deadline loses although both are in one batch")
  void tooLate() {
    begin(awaiting(ctx -> ctx.waitFor(ANSWER)), 1);
    advanceTo(LIMIT.plusMillis(1));
    world.client().raiseEvent("x", ANSWER, "yes");

    assertThat(resumed()).isEqualTo("late");
  }

  @Test
  @DisplayName("EN-006 an event stored at the very instant of the deadline wins")
  void atTheInstant() {
    begin(awaiting(ctx -> ctx.waitFor(ANSWER)), 1);
    advanceTo(LIMIT);
    world.client().raiseEvent("x", ANSWER, "yes");

    assertThat(resumed()).isEqualTo("yes");
  }

  private static String order(OrchestrationContext ctx, List<DurableFuture<Instant>> timers) {
    List<String> order = new ArrayList<>();
    List<DurableFuture<Integer>> branches =
        IntStream.range(0, timers.size())
            .mapToObj(i ->
                ctx.async(branch -> {
                  timers.get(i).await();
                  order.add(Integer.toString(i));
                  return i;
                }))
            .toList();
    ctx.all(branches);
    return String.join(",", order);
  }

  @Test
  @DisplayName("EN-007 timers that are due together fire in the order of their fire times")
  void byFireTime() {
    begin(
        (ctx, input) ->
            order(
                ctx,
                Stream.of(30, 10, 20)
                    .map(minutes -> ctx.timer(Duration.ofMinutes(minutes)))
                    .toList()),
        3);

    assertThat(resumed()).isEqualTo("1,2,0");
  }

  @Test
  @DisplayName("EN-008 timers with the same fire time fire in the order in which they were made")
  void sameFireTime() {
    begin(
        (ctx, input) -> order(ctx, IntStream.range(0, 20).mapToObj(i -> ctx.timer(LIMIT)).toList()),
        20);

    assertThat(resumed()).isEqualTo("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19");
  }

  @Test
  @DisplayName("EN-010 a delayed message counts from the end of its delay")
  void delayed() {
    begin(awaiting(ctx -> ctx.waitFor(ANSWER)), 1);
    advanceTo(before(LIMIT));
    world
        .store()
        .enqueueForOrchestrator(
            new WorkItem.ExternalRaised("x", ANSWER.name(), "yes"), Duration.ofMillis(2));

    assertThat(resumed()).isEqualTo("late");
  }

  @Test
  @DisplayName("EN-011 deadlines hold with a node that is restarted between each two turns")
  void restarts() {
    begin(
        (ctx, input) -> {
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < 4; i++) {
            text.append(orLate(ctx.waitFor(ANSWER).await(LIMIT)));
          }
          return text.toString();
        },
        1);
    for (int i = 1; i <= 4; i++) {
      Duration moment = i % 2 == 0 ? LIMIT.plusMillis(1) : before(LIMIT);
      world.advance(moment);
      world.client().raiseEvent("x", ANSWER, "yes");
      world.advance(Duration.ofDays(1));
      int round = i;
      node();
      world.until(() ->
          world.events("x", EventKind.TimerCreated.class).size() == Math.min(round + 1, 4)
              && world.events("x", EventKind.ExternalEvent.class).size() == round);
      world.stopRuntimes();
    }
    node();

    assertThat(world.output("x")).isEqualTo("yeslateyeslate");
  }

  @Test
  @DisplayName(
      "EN-013 EN-014 a message between two due timers stands between them, and nothing stays")
  void between() {
    begin(
        (ctx, input) -> {
          List<String> order = new ArrayList<>();
          DurableFuture<Instant> second = ctx.timer(Duration.ofMinutes(20));
          DurableFuture<Instant> first = ctx.timer(Duration.ofMinutes(10));
          List<DurableFuture<String>> all =
              List.of(
                  ctx.async(branch -> noted(order, "second", second)),
                  ctx.async(branch -> noted(order, "first", first)),
                  ctx.async(branch -> noted(order, "answer", ctx.waitFor(ANSWER))));
          ctx.all(all);
          return String.join(",", order);
        },
        2);
    advanceTo(Duration.ofMinutes(15));
    world.client().raiseEvent("x", ANSWER, "yes");

    assertThat(resumed()).isEqualTo("first,answer,second");
    world.stopRuntimes();
    assertThat(messages().total()).isZero();
  }

  private static String noted(List<String> order, String name, DurableFuture<?> future) {
    future.await();
    order.add(name);
    return name;
  }
}
