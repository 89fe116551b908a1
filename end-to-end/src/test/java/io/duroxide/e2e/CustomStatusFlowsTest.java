package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import io.duroxide.provider.CustomStatus;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class CustomStatusFlowsTest {
  private static final int LIMIT = 262_144;
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final CustomStatus NEVER_SET = new CustomStatus(null, 0);

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

  private void startOne(OrchestrationHandler<String, String> code) {
    world.start(node -> node.activity(ECHO, (ctx, input) -> input).orchestration(MAIN, code));
    world.client().start(MAIN, "c", "1");
  }

  private CustomStatus now() {
    return world.client().status("c").customStatus();
  }

  private CustomStatus atEnd() {
    return world.end("c").customStatus();
  }

  @Test
  @DisplayName("E2E-410 OR-091 a status is visible on the completed instance")
  void onCompleted() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("at work");
      return "done";
    });

    assertThat(world.output("c")).isEqualTo("done");
    assertThat(atEnd()).isEqualTo(new CustomStatus("at work", 1));
  }

  @Test
  @DisplayName("E2E-411 OR-091 set then reset is none")
  void reset() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("at work");
      ctx.resetCustomStatus();
      return String.valueOf(ctx.customStatus());
    });

    assertThat(world.output("c")).isEqualTo("Optional.empty");
    assertThat(atEnd()).isEqualTo(new CustomStatus(null, 1));
    assertThat(world.events("c", EventKind.CustomStatusUpdated.class)).hasSize(2);
  }

  @Test
  @DisplayName("E2E-412 OR-091 of several in one turn the last counts, as one change")
  void lastWins() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("one");
      ctx.setCustomStatus("two");
      ctx.setCustomStatus("three");
      return "done";
    });

    assertThat(atEnd()).isEqualTo(new CustomStatus("three", 1));
  }

  @Test
  @DisplayName("E2E-413 OR-091 a status persists over turns that do not touch it")
  void persists() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("at work");
      ctx.call(ECHO, "a").await();
      ctx.call(ECHO, "b").await();
      return "done";
    });

    assertThat(world.output("c")).isEqualTo("done");
    assertThat(atEnd()).isEqualTo(new CustomStatus("at work", 1));
  }

  @Test
  @DisplayName("E2E-414 E2E-417 OR-091 a later turn overrides; each changing turn is a version")
  void overrides() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("first");
      ctx.waitForEvent("go").await();
      ctx.setCustomStatus("second");
      return "done";
    });
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);
    assertThat(now()).isEqualTo(new CustomStatus("first", 1));

    world.client().raiseEvent("c", "go", "");

    assertThat(atEnd()).isEqualTo(new CustomStatus("second", 2));
  }

  @Test
  @DisplayName("E2E-415 OR-091 never set is none, version 0")
  void neverSet() {
    startOne((ctx, input) -> "done");

    assertThat(world.output("c")).isEqualTo("done");
    assertThat(atEnd()).isEqualTo(NEVER_SET);
  }

  @Test
  @DisplayName("E2E-416 OR-091 a status is visible on the failed instance")
  void onFailed() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("about to fail");
      throw new OrchestrationFailure("failed");
    });

    assertThat(world.failure("c")).contains("failed");
    assertThat(atEnd()).isEqualTo(new CustomStatus("about to fail", 1));
  }

  @Test
  @DisplayName("E2E-418 OR-091 one byte above 256 KiB fails the orchestration")
  void tooLong() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("x".repeat(LIMIT + 1));
      return "done";
    });

    assertThat(world.failure("c"))
        .contains("Custom status size (262145 bytes) exceeds limit (262144 bytes)");
  }

  @Test
  @DisplayName("E2E-418 OR-091 256 KiB and one byte less are fine")
  void atTheLimit() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("x".repeat(LIMIT - 1));
      ctx.waitForEvent("go").await();
      ctx.setCustomStatus("y".repeat(LIMIT));
      return "done";
    });
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);
    assertThat(now().status()).hasSize(LIMIT - 1);
    world.client().raiseEvent("c", "go", "");

    assertThat(world.output("c")).isEqualTo("done");
    assertThat(atEnd().status()).hasSize(LIMIT);
  }

  @Test
  @DisplayName("E2E-419 OR-091 a status is carried into the next execution")
  void carried() {
    startOne((ctx, input) -> {
      if (input.equals("1")) {
        ctx.setCustomStatus("carried");
        return ctx.continueAsNew("2");
      }
      return ctx.customStatus().orElse("none");
    });

    assertThat(world.output("c")).isEqualTo("carried");
    assertThat(atEnd()).isEqualTo(new CustomStatus("carried", 1));
  }

  @Test
  @DisplayName("E2E-419 OR-091 a reset in the next execution is none")
  void carriedAndReset() {
    startOne((ctx, input) -> {
      if (input.equals("1")) {
        ctx.setCustomStatus("carried");
        return ctx.continueAsNew("2");
      }
      ctx.resetCustomStatus();
      return ctx.customStatus().orElse("none");
    });

    assertThat(world.output("c")).isEqualTo("none");
    assertThat(atEnd()).isEqualTo(new CustomStatus(null, 2));
  }

  @Test
  @DisplayName("E2E-420 OR-091 the code reads its own sets over turns and replays")
  void getter() {
    startOne((ctx, input) -> {
      String seen = ctx.customStatus().orElse("-");
      ctx.setCustomStatus("a");
      seen += ctx.customStatus().orElse("-");
      ctx.call(ECHO, "x").await();
      seen += ctx.customStatus().orElse("-");
      ctx.setCustomStatus("b");
      seen += ctx.customStatus().orElse("-");
      ctx.call(ECHO, "y").await();
      ctx.resetCustomStatus();
      return seen + ctx.customStatus().orElse("-");
    });

    assertThat(world.output("c")).isEqualTo("-aab-");
    assertThat(atEnd()).isEqualTo(new CustomStatus(null, 3));
  }

  @Test
  @DisplayName("E2E-421 OR-091 inherited, reset, none and set again over four executions")
  void fourExecutions() {
    startOne((ctx, input) -> {
      String seen = input + ctx.customStatus().orElse("-");
      ctx.call(ECHO, "x").await();
      switch ((int) ctx.executionId()) {
        case 1 -> ctx.setCustomStatus("a");
        case 2 -> ctx.resetCustomStatus();
        case 3 -> ctx.setCustomStatus("b");
        default -> {
          return seen + ctx.customStatus().orElse("-");
        }
      }
      return ctx.continueAsNew(seen);
    });

    assertThat(world.output("c")).isEqualTo("1-a-bb");
    assertThat(atEnd()).isEqualTo(new CustomStatus("b", 3));
  }

  @Test
  @DisplayName("E2E-422 OR-091 a wait for a change returns on change and at the end")
  void waitForChange() {
    startOne((ctx, input) -> {
      ctx.setCustomStatus("first");
      ctx.waitForEvent("go").await();
      ctx.setCustomStatus("second");
      ctx.waitForEvent("end").await();
      return "done";
    });

    assertThat(change(0)).isEqualTo(new OrchestrationStatus.Running(new CustomStatus("first", 1)));
    assertThatThrownBy(() -> world.client().waitForStatusChange("c", 1, Duration.ofMillis(30)))
        .isInstanceOf(ClientException.Timeout.class);
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("c", "go", "");
    assertThat(change(1)).isEqualTo(new OrchestrationStatus.Running(new CustomStatus("second", 2)));
    world.until(() -> world.events("c", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("c", "end", "");
    assertThat(change(2))
        .isEqualTo(new OrchestrationStatus.Completed("done", new CustomStatus("second", 2)));
  }

  private OrchestrationStatus change(long seen) {
    return world.client().waitForStatusChange("c", seen, World.PATIENCE);
  }
}
