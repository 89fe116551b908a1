package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Starting an instance and waiting for it in one call")
class ClientRunTest {
  private static final Orchestration<String, String> GREET =
      Orchestration.of("Greet", String.class, String.class);
  private static final Orchestration<String, String> FAIL =
      Orchestration.of("Fail", String.class, String.class);
  private static final Orchestration<String, String> LISTEN =
      Orchestration.of("Listen", String.class, String.class);

  private final Faults faults = new Faults();
  private World world;
  private Client client;

  @BeforeEach
  void open() {
    world = World.memory(Mode.KEPT);
    world.decorate(faults::on);
    world.start(node ->
        node.orchestration(GREET, (ctx, in) -> "hello " + in)
            .orchestration(
                FAIL,
                (ctx, in) -> {
                  throw new IllegalStateException(in);
                })
            .orchestration(LISTEN, (ctx, in) -> in + ctx.waitForEvent("go").await()));
    client = world.client();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  @DisplayName("the result is told by the commit, without a look at the store")
  void result() {
    faults.failNext("status", Integer.MAX_VALUE, ProviderException.Kind.UNAVAILABLE);

    assertThat(client.run(GREET, "x", "Java", World.PATIENCE)).isEqualTo("hello Java");
  }

  @Test
  @DisplayName("a failure is thrown with what it says")
  void failure() {
    assertThatThrownBy(() -> client.run(FAIL, "x", "broken", World.PATIENCE))
        .isInstanceOf(ClientException.OrchestrationFailed.class)
        .hasMessageContaining("broken");
  }

  @Test
  @DisplayName("an instance goes on after the wait for it has ended")
  void timeout() {
    assertThatThrownBy(() -> client.run(LISTEN, "x", "well ", Duration.ofMillis(1)))
        .isInstanceOf(ClientException.Timeout.class);
    client.raiseEvent("x", "go", "done");

    assertThat(client.waitFor(LISTEN, "x", World.PATIENCE)).isEqualTo("well done");
  }

  @Test
  @DisplayName("an id that exists is waited for, whether it has ended or not")
  void existing() {
    assertThat(client.run(GREET, "x", "Java", World.PATIENCE)).isEqualTo("hello Java");

    assertThat(client.run(GREET, "x", "Rust", World.PATIENCE)).isEqualTo("hello Java");
  }
}
