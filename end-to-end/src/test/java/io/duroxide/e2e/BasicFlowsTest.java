package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass(name = "{0}")
@EnumSource(Mode.class)
class BasicFlowsTest {
  private static final Activity<String, String> GREET =
      Activity.of("Greet", String.class, String.class);
  private static final Orchestration<String, String> HELLO =
      Orchestration.of("Hello", String.class, String.class);

  @Parameter private Mode mode;
  private World world;

  @BeforeEach
  void open() {
    world = World.sqlite(mode);
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
  @DisplayName("E2E-090 a timer fires when its time has come, not before")
  void oneTimer() {
    world.start(node ->
        node.orchestration(
            HELLO,
            (ctx, name) -> {
              ctx.timer(Duration.ofDays(30)).await();
              return "done";
            }));
    world.client().start(HELLO, "timer-1", "");
    world.awaitEvent("timer-1", EventKind.TimerCreated.class);

    world.advance(Duration.ofDays(29));
    assertThat(world.events("timer-1", EventKind.TimerFired.class)).isEmpty();
    world.advance(Duration.ofDays(1));

    assertThat(world.output("timer-1")).isEqualTo("done");
  }
}
