package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Limits;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.client.StartOptions.Reuse;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orchestrations that fail, and starts of ids that exist. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class ErrorsAndReuseTest {
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> OTHER =
      Orchestration.of("Other", String.class, String.class);

  @Parameter private Mode mode;
  private World world;
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  @DisplayName("E2E-260 an orchestration that fails at once is failed, in its history too")
  void failsAtOnce() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              throw new OrchestrationFailure("not today");
            }));

    world.client().start(FLOW, "f", "");

    assertThat(world.failure("f")).isEqualTo("not today");
    assertThat(world.history("f")).hasSize(2);
    assertThat(application("f").kind()).isEqualTo(ApplicationErrorKind.ORCHESTRATION_FAILED);
  }

  @Test
  @DisplayName("E2E-261 an exception that was not meant is a panic and is not tried again")
  void panics() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              runs.incrementAndGet();
              throw new IllegalStateException("a bug");
            }));

    world.client().start(FLOW, "f", "");

    assertThat(world.failure("f")).startsWith("orchestration panicked: ").contains("a bug");
    assertThat(application("f").kind()).isEqualTo(ApplicationErrorKind.PANICKED);
    assertThat(application("f").retryable()).isFalse();
    assertThat(runs).hasValue(1);
  }

  @Test
  @DisplayName("E2E-262 a start after completion runs nothing and leaves the stored result alone")
  void startedAgain() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              runs.incrementAndGet();
              return in + " at " + ctx.utcNow();
            }));
    world.client().start(FLOW, "f", "first");
    String output = world.output("f");
    List<Event> history = world.history("f");

    world.advance(Duration.ofHours(1));
    world.client().start(FLOW, "f", "second");
    Quiet.await(world);

    assertThat(world.output("f")).isEqualTo(output).startsWith("first at ");
    assertThat(world.history("f")).isEqualTo(history);
    assertThat(runs).hasValue(1);
  }

  @Test
  @DisplayName("E2E-263 two starts back to back begin and end one execution")
  void twoStarts() {
    world.start(node ->
        node.activity(ECHO, (ctx, in) -> in)
            .orchestration(FLOW, (ctx, in) -> ctx.call(ECHO, in).await()));

    world.client().start(FLOW, "f", "first");
    world.client().start(FLOW, "f", "second");

    assertThat(world.output("f")).isEqualTo("first");
    Quiet.await(world);
    assertThat(world.events("f", EventKind.OrchestrationStarted.class)).hasSize(1);
    assertThat(world.events("f", EventKind.Terminal.class)).hasSize(1);
    assertThat(world.store().management().orElseThrow().listExecutions("f")).containsExactly(1L);
  }

  @Test
  @DisplayName("E2E-264 a history of six hundred activities completes and is whole")
  void longHistory() {
    world.start(node ->
        node.activity(
                ECHO,
                (ctx, in) -> {
                  runs.incrementAndGet();
                  return in;
                })
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  int sum = 0;
                  for (int round = 0; round < 6; round++) {
                    List<DurableFuture<String>> hundred = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                      hundred.add(ctx.call(ECHO, "" + (100 * round + i)));
                    }
                    sum += ctx.all(hundred).stream().mapToInt(Integer::parseInt).sum();
                  }
                  return "" + sum;
                }));

    world.client().start(FLOW, "f", "");

    assertThat(world.output("f")).isEqualTo("" + 599 * 600 / 2);
    assertThat(runs).hasValue(600);
    assertThat(world.events("f", EventKind.ActivityScheduled.class)).hasSize(600);
    assertThat(world.events("f", EventKind.ActivityCompleted.class)).hasSize(600);
    assertThat(world.history("f"))
        .extracting(Event::id)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 1202).boxed().toList());
  }

  @Test
  @DisplayName(
      "E2E-264 with a limit on its history an orchestration fails there, and its end is whole")
  void limitedHistory() {
    try (Warnings warnings = new Warnings("io.duroxide.runtime.turns")) {
      world.start(
          world.options().limits(Limits.DEFAULT.withHistoryEvents(100)),
          node ->
              node.activity(ECHO, (ctx, in) -> in)
                  .orchestration(
                      FLOW,
                      (ctx, in) -> {
                        for (int i = 0; i < 600; i++) {
                          ctx.call(ECHO, "" + i).await();
                        }
                        return "unreachable";
                      }));

      world.client().start(FLOW, "f", "");

      assertThat(world.failure("f")).contains("History event count (102) exceeds limit (100)");
      assertThat(warnings.contain("the history has 82 events")).isTrue();
    }
    assertThat(world.events("f", EventKind.ActivityCompleted.class)).hasSize(50);
    assertThat(world.history("f"))
        .extracting(Event::id)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 102).boxed().toList());
    assertThat(world.history("f").getLast().kind())
        .isInstanceOf(EventKind.OrchestrationFailed.class);
  }

  @Test
  @DisplayName("E2E-265 EN-094 an event that is sent blindly after completion changes nothing")
  void eventAfterCompletion() {
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> "done"));
    world.client().start(FLOW, "f", "");
    assertThat(world.output("f")).isEqualTo("done");
    List<Event> history = world.history("f");

    world.blindClient().raiseEvent("f", "go", "");
    Quiet.await(world);

    assertThat(world.output("f")).isEqualTo("done");
    assertThat(world.history("f")).isEqualTo(history);
  }

  @Test
  @DisplayName(
      "E2E-266 an activity nobody knows fails the orchestration as poison after its attempts")
  void unknownActivity() {
    world.start(
        world
            .options()
            .fetchOnlyRegistered(false)
            .maxAttempts(3)
            .unregisteredBackoff(Duration.ofMillis(10), Duration.ofMillis(40))
            .orchestratorLockTimeout(Duration.ofHours(1)),
        node -> node.orchestration(FLOW, (ctx, in) -> ctx.callActivity("Missing", in).await()));
    world.client().start(FLOW, "f", "");

    world.until(() -> {
      world.advance(Duration.ofMillis(10));
      return world.client().status("f").isTerminal();
    });

    assertThat(world.failure("f"))
        .isEqualTo("poison: activity Missing#2 exceeded 4 attempts (max 3)");
    ErrorDetails.Poison poison = (ErrorDetails.Poison) failed("f").details();
    assertThat(poison.subject()).isEqualTo(new PoisonSubject.Activity("f", 1, "Missing", 2));
  }

  @Test
  @DisplayName("E2E-908 a start of a running id with other name and version is ignored")
  void duplicateOfRunning() {
    world.start(node ->
        node.orchestration(FLOW, (ctx, in) -> in + ctx.waitForEvent("go").await())
            .orchestration(FLOW, "2.0.0", (ctx, in) -> "version 2")
            .orchestration(
                OTHER,
                (ctx, in) -> {
                  runs.incrementAndGet();
                  return "other";
                }));
    world.client().start(FLOW, "f", "first ", StartOptions.version("1.0.0"));
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    world.client().start(OTHER, "f", "second");
    world.client().start(FLOW, "f", "third", StartOptions.version("2.0.0"));
    Quiet.await(world);
    assertThat(world.history("f")).hasSize(2);
    world.client().raiseEvent("f", "go", "end");

    assertThat(world.output("f")).isEqualTo("first end");
    assertThat(runs).hasValue(0);
    assertThat(world.events("f", EventKind.OrchestrationStarted.class))
        .extracting(EventKind.OrchestrationStarted::name)
        .containsExactly("Flow");
  }

  @Test
  @DisplayName("E2E-930 REJECT refuses an id that exists, running or ended")
  void reject() {
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> in + ctx.waitForEvent("go").await()));
    StartOptions reject = StartOptions.defaults().withReuse(Reuse.REJECT);
    world.client().start(FLOW, "f", "first ", reject);
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    assertRejected(reject);
    world.client().raiseEvent("f", "go", "end");
    assertThat(world.output("f")).isEqualTo("first end");

    assertRejected(reject);
    assertThat(world.output("f")).isEqualTo("first end");
  }

  private void assertRejected(StartOptions reject) {
    assertThatThrownBy(() -> world.client().start(FLOW, "f", "second ", reject))
        .isInstanceOf(ClientException.InstanceExists.class)
        .hasMessageContaining("'f'");
  }

  @Test
  @DisplayName("E2E-930 RESTART_IF_TERMINAL leaves a running instance and begins an ended one anew")
  void restartIfTerminal() {
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> in + ctx.waitForEvent("go").await()));
    StartOptions restart = StartOptions.defaults().withReuse(Reuse.RESTART_IF_TERMINAL);
    world.client().start(FLOW, "f", "first ", restart);
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    world.client().start(FLOW, "f", "second ", restart);
    Quiet.await(world);
    world.client().raiseEvent("f", "go", "end");
    assertThat(world.output("f")).isEqualTo("first end");

    world.client().start(FLOW, "f", "third ", restart);
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("f", "go", "end");

    assertThat(world.output("f")).isEqualTo("third end");
    assertThat(world.events("f", EventKind.OrchestrationStarted.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-930 a delayed start begins when its time has come, not before")
  void delayed() {
    world.start(
        node -> node.orchestration(FLOW, (ctx, in) -> in).orchestration(OTHER, (ctx, in) -> in));
    world.client().start(FLOW, "f", "late", StartOptions.delayed(Duration.ofHours(1)));
    world.client().start(OTHER, "o", "early");

    assertThat(world.output("o")).isEqualTo("early");
    world.advance(Duration.ofMinutes(59));
    Quiet.await(world);
    assertThat(world.client().status("f")).isEqualTo(new OrchestrationStatus.NotFound());
    world.advance(Duration.ofMinutes(1));

    assertThat(world.output("f")).isEqualTo("late");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"", "sub::2", "parent::sub::2"})
  @DisplayName("E2E-930 ids that are empty or look generated are refused")
  void reservedIds(String id) {
    assertThatThrownBy(() -> world.client().start(FLOW, id, ""))
        .isInstanceOf(ClientException.InvalidInput.class);
    Quiet.await(world);
    assertThat(world.history(id)).isEmpty();
  }

  private OrchestrationStatus.Failed failed(String instance) {
    return (OrchestrationStatus.Failed) world.end(instance);
  }

  private ErrorDetails.Application application(String instance) {
    ErrorDetails details = failed(instance).details();
    assertThat(world.history(instance).getLast().kind())
        .isEqualTo(new EventKind.OrchestrationFailed(details));
    return (ErrorDetails.Application) details;
  }
}
