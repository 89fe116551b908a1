package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.duroxide.api.Activity;
import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.Choice;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.Selected;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class BasicFlowsTest {
  private static final Activity<String, String> GREET =
      Activity.of("Greet", String.class, String.class);
  private static final Activity<String, String> OTHER =
      Activity.of("Other", String.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);
  private static final Orchestration<String, String> HELLO =
      Orchestration.of("Hello", String.class, String.class);

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
  @DisplayName("E2E-001 OR-001 an orchestration returns what its activity returned")
  void oneActivity() {
    world.start(node ->
        node.activity(GREET, (ctx, name) -> "Hello, " + name + "!")
            .orchestration(HELLO, (ctx, name) -> ctx.call(GREET, name).await()));

    world.client().start(HELLO, "hello-1", "Java");

    assertThat(world.output("hello-1")).isEqualTo("Hello, Java!");
  }

  @Test
  @DisplayName("E2E-002 OR-001 a flag of an activity decides which activity comes next")
  void branching() {
    Activity<String, Boolean> isEven = Activity.of("IsEven", String.class, Boolean.class);
    world.start(node ->
        node.activity(isEven, (ctx, number) -> Integer.parseInt(number) % 2 == 0)
            .activity(GREET, (ctx, number) -> number + " is even")
            .activity(OTHER, (ctx, number) -> number + " is odd")
            .orchestration(
                HELLO,
                (ctx, number) ->
                    ctx.call(isEven, number).await()
                        ? ctx.call(GREET, number).await()
                        : ctx.call(OTHER, number).await()));

    world.client().start(HELLO, "even", "4");
    world.client().start(HELLO, "odd", "5");

    assertThat(world.output("even")).isEqualTo("4 is even");
    assertThat(world.output("odd")).isEqualTo("5 is odd");
    assertThat(scheduled("even")).containsExactly("IsEven", "Greet");
    assertThat(scheduled("odd")).containsExactly("IsEven", "Other");
  }

  @Test
  @DisplayName("E2E-003 OR-001 a loop of activities accumulates; its log lines appear once each")
  void loop() {
    Logger logger = (Logger) LoggerFactory.getLogger("io.duroxide.orchestration");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    try {
      world.start(node ->
          node.activity(GREET, (ctx, text) -> text + "x")
              .orchestration(
                  HELLO,
                  (ctx, start) -> {
                    String text = start;
                    for (int i = 1; i <= 3; i++) {
                      text = ctx.call(GREET, text).await();
                      ctx.log().info("loop iteration {}", i);
                    }
                    return text;
                  }));

      world.client().start(HELLO, "loop", "start-");

      assertThat(world.output("loop")).isEqualTo("start-xxx");
      world.stopRuntimes();
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
      logger.setAdditive(true);
    }
    assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
        .filteredOn(line -> line.startsWith("loop iteration"))
        .containsExactly("loop iteration 1", "loop iteration 2", "loop iteration 3");
  }

  @Test
  @DisplayName("E2E-004 OR-002 a caught failure is made good by another activity")
  void recovery() {
    world.start(node ->
        node.activity(
                GREET,
                (ctx, name) -> {
                  throw new IllegalStateException("greeting broke");
                })
            .activity(OTHER, (ctx, problem) -> "recovered from " + problem)
            .orchestration(
                HELLO,
                (ctx, name) -> {
                  try {
                    return ctx.call(GREET, name).await();
                  } catch (ActivityFailedException e) {
                    return ctx.call(OTHER, e.getMessage()).await();
                  }
                }));

    world.client().start(HELLO, "recovery", "x");

    assertThat(world.output("recovery")).isEqualTo("recovered from greeting broke");
    assertThat(world.events("recovery", EventKind.ActivityFailed.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-005 a timer beats a long activity, and the code ends with its own error")
  void timeout() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    world.start(node ->
        node.activity(
                GREET,
                (ctx, name) -> {
                  begun.countDown();
                  ctx.awaitCancelled(World.PATIENCE);
                  cancelled.countDown();
                  return "late";
                })
            .orchestration(
                HELLO,
                (ctx, name) ->
                    switch (ctx.select(ctx.call(GREET, name), ctx.timer(Duration.ofSeconds(1)))) {
                      case Choice.First<String, Instant> done -> done.value();
                      case Choice.Second<String, Instant> due ->
                          throw new OrchestrationFailure("timed out");
                    }));
    world.client().start(HELLO, "timeout", "x");
    world.until(() -> begun.getCount() == 0);

    world.advanceHolding(1, Duration.ofSeconds(1));

    assertThat(world.failure("timeout")).isEqualTo("timed out");
    world.until(() -> cancelled.getCount() == 0);
    assertThat(world.events("timeout", EventKind.ActivityCompleted.class)).isEmpty();
  }

  @Test
  @DisplayName("E2E-006 an event beats a slow activity: its index and payload come back")
  void eventBeatsActivity() {
    world.start(node ->
        node.activity(
                GREET,
                (ctx, name) -> {
                  ctx.awaitCancelled(World.PATIENCE);
                  return "late";
                })
            .orchestration(
                HELLO,
                (ctx, name) -> {
                  Selected<String> first =
                      ctx.select(List.of(ctx.call(GREET, name), ctx.waitFor(GO)));
                  return first.index() + ":" + first.value();
                }));
    world.client().start(HELLO, "event", "x");
    world.awaitEvent("event", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("event", GO, "payload");

    assertThat(world.output("event")).isEqualTo("1:payload");
  }

  @Test
  @DisplayName("E2E-007 two activities side by side are joined in the order they were scheduled")
  void parallel() {
    CountDownLatch bothRun = new CountDownLatch(2);
    world.start(node ->
        node.activity(
                GREET,
                (ctx, name) -> {
                  bothRun.countDown();
                  bothRun.await();
                  return "did " + name;
                })
            .orchestration(
                HELLO,
                (ctx, name) ->
                    String.join(
                        ", ", ctx.all(List.of(ctx.call(GREET, "one"), ctx.call(GREET, "two"))))));

    world.client().start(HELLO, "parallel", "");

    assertThat(world.output("parallel")).isEqualTo("did one, did two");
  }

  @Test
  @DisplayName("E2E-008 time and ids come from the context and stay the same on replay")
  void timeAndIds() {
    world.start(node ->
        node.orchestration(
            HELLO,
            (ctx, name) -> {
              Instant now = ctx.utcNow();
              UUID id = ctx.newGuid();
              ctx.timer(Duration.ofSeconds(1)).await();
              return now.toEpochMilli() + " " + id;
            }));
    Instant began = world.clock().instant();
    world.client().start(HELLO, "time", "");
    world.awaitEvent("time", EventKind.TimerCreated.class);
    List<String> recorded =
        world.events("time", EventKind.ActivityCompleted.class).stream()
            .map(EventKind.ActivityCompleted::result)
            .toList();

    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("time")).isEqualTo(String.join(" ", recorded));
    assertThat(recorded.get(0)).isEqualTo(Long.toString(began.toEpochMilli()));
    assertThat(recorded.get(1)).hasSize(36);
    assertThat(UUID.fromString(recorded.get(1)).version()).isEqualTo(4);
  }

  @Test
  @DisplayName("E2E-009 the status goes from not found over running to completed with the output")
  void statusOverTime() {
    world.start(node -> node.orchestration(HELLO, (ctx, name) -> ctx.waitFor(GO).await()));
    assertThat(world.client().status("status")).isInstanceOf(OrchestrationStatus.NotFound.class);

    world.client().start(HELLO, "status", "");
    world.awaitEvent("status", EventKind.ExternalSubscribed.class);
    assertThat(world.client().status("status")).isInstanceOf(OrchestrationStatus.Running.class);

    world.client().raiseEvent("status", GO, "out");
    assertThat(world.output("status")).isEqualTo("out");
  }

  @Test
  @DisplayName("E2E-010 OR-003 an uncaught activity failure fails the orchestration with its text")
  void uncaughtFailure() {
    world.start(node ->
        node.activity(
                GREET,
                (ctx, name) -> {
                  throw new IllegalStateException("no such name: " + name);
                })
            .orchestration(HELLO, (ctx, name) -> ctx.call(GREET, name).await()));

    world.client().start(HELLO, "uncaught", "x");

    assertThat(world.failure("uncaught")).isEqualTo("no such name: x");
    assertThat(application("uncaught").kind()).isEqualTo(ApplicationErrorKind.ORCHESTRATION_FAILED);
  }

  @Test
  @DisplayName("E2E-011 OR-001 OR-003 what a helper method throws arrives unchanged")
  void helperThrows() {
    world.start(node ->
        node.activity(GREET, (ctx, name) -> "greeted")
            .orchestration(HELLO, (ctx, name) -> checked(ctx, name)));

    world.client().start(HELLO, "helper", "nobody");
    world.client().start(HELLO, "helper-ok", "somebody");

    assertThat(world.failure("helper")).isEqualTo("refused nobody after greeted");
    assertThat(application("helper").kind()).isEqualTo(ApplicationErrorKind.ORCHESTRATION_FAILED);
    assertThat(application("helper").retryable()).isFalse();
    assertThat(world.output("helper-ok")).isEqualTo("greeted");
  }

  private static String checked(OrchestrationContext ctx, String name) {
    String greeting = ctx.call(GREET, name).await();
    if (name.equals("nobody")) {
      throw new OrchestrationFailure("refused nobody after " + greeting);
    }
    return greeting;
  }

  @Test
  @DisplayName("E2E-012 OR-003 the error text of an activity is there for the code to decide with")
  void explicitHandling() {
    AtomicInteger calls = new AtomicInteger();
    world.start(node ->
        node.activity(
                GREET,
                (ctx, name) -> {
                  calls.incrementAndGet();
                  throw new IllegalArgumentException(name);
                })
            .orchestration(
                HELLO,
                (ctx, name) -> {
                  try {
                    return ctx.call(GREET, name).await();
                  } catch (ActivityFailedException e) {
                    ctx.log().info("greeting failed: {}", e.getMessage());
                    if (e.is(IllegalArgumentException.class) && e.getMessage().equals("mild")) {
                      return e.task() + " failed mildly";
                    }
                    throw new OrchestrationFailure("fatal: " + e.getMessage());
                  }
                }));

    world.client().start(HELLO, "mild", "mild");
    world.client().start(HELLO, "wild", "wild");

    assertThat(world.output("mild")).isEqualTo("Greet failed mildly");
    assertThat(world.failure("wild")).isEqualTo("fatal: wild");
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("OR-004 an unexpected exception is reported as a panic")
  void panic() {
    world.start(node ->
        node.orchestration(
            HELLO,
            (ctx, name) -> {
              throw new IllegalStateException("oops");
            }));

    world.client().start(HELLO, "panic", "");

    assertThat(world.failure("panic")).startsWith("orchestration panicked: ").contains("oops");
    assertThat(application("panic").kind()).isEqualTo(ApplicationErrorKind.PANICKED);
  }

  @Test
  @DisplayName("E2E-019 a replayed orchestration schedules its activity once")
  void replayedOnce() {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    world.start(node ->
        node.activity(GREET, (ctx, name) -> name + calls.incrementAndGet())
            .orchestration(
                HELLO,
                (ctx, name) -> {
                  runs.incrementAndGet();
                  return ctx.call(GREET, name).await();
                }));

    world.client().start(HELLO, "replayed", "r");

    assertThat(world.output("replayed")).isEqualTo("r1");
    assertThat(scheduled("replayed")).containsExactly("Greet");
    assertThat(runs).hasValue(mode == Mode.KEPT ? 1 : 2);
  }

  @Test
  @DisplayName("E2E-020 OR-003 instances report their own ends")
  void ownEnds() {
    Orchestration<String, String> fails = Orchestration.of("Fails", String.class, String.class);
    world.start(node ->
        node.orchestration(
                HELLO,
                (ctx, name) -> {
                  ctx.timer(Duration.ofSeconds(1)).await();
                  return "done";
                })
            .orchestration(
                fails,
                (ctx, name) -> {
                  throw new OrchestrationFailure("boom");
                }));
    world.client().start(HELLO, "late", "");
    world.client().start(fails, "broken", "");
    world.awaitEvent("late", EventKind.TimerCreated.class);

    assertThat(world.failure("broken")).isEqualTo("boom");
    assertThat(world.client().status("late")).isInstanceOf(OrchestrationStatus.Running.class);
    world.advance(Duration.ofSeconds(1));
    assertThat(world.output("late")).isEqualTo("done");
    assertThat(world.failure("broken")).isEqualTo("boom");
  }

  private List<String> scheduled(String instance) {
    return world.events(instance, EventKind.ActivityScheduled.class).stream()
        .map(EventKind.ActivityScheduled::name)
        .toList();
  }

  private ErrorDetails.Application application(String instance) {
    OrchestrationStatus.Failed failed = (OrchestrationStatus.Failed) world.end(instance);
    return (ErrorDetails.Application) failed.details();
  }
}
