package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Calls that do not block")
class AsyncClientTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final Faults faults = new Faults();
  private volatile Thread waiter;
  private World world;
  private Client client;

  @BeforeEach
  void open() {
    world = World.memory(Mode.KEPT);
    world.decorate(faults::on);
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> in + ctx.waitForEvent("go").await()));
    client = world.client();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  @DisplayName("every operation can be composed as a future")
  void composed() {
    CompletableFuture<String> result =
        client
            .runAsync(c -> c.start(FLOW, "x", "well "))
            .thenCompose(started -> client.supplyAsync(c -> c.waitFor(FLOW, "x", World.PATIENCE)))
            .thenApply(output -> output + "!");
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    assertThat(result).isNotDone();

    client.runAsync(c -> c.raiseEvent("x", "go", "done")).join();

    assertThat(result.join()).isEqualTo("well done!");
  }

  @Test
  @DisplayName("what the operation throws is the cause of the future's failure")
  void failures() {
    CompletableFuture<String> inVain =
        client.supplyAsync(c -> c.waitFor(FLOW, "nobody", Duration.ofMillis(1)));
    assertThatThrownBy(inVain::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ClientException.Timeout.class);

    faults.failNext("kvAllValues", 1, ProviderException.Kind.UNAVAILABLE);
    assertThatThrownBy(client.supplyAsync(c -> c.kvAll("x"))::join)
        .hasCauseInstanceOf(ProviderException.class);
  }

  private CompletableFuture<OrchestrationStatus> waitForEver() {
    CompletableFuture<OrchestrationStatus> wait =
        client.supplyAsync(c -> {
          waiter = Thread.currentThread();
          return c.waitForCompletion("nobody", FOR_EVER);
        });
    world.until(() -> faults.count("status") > 1);
    return wait;
  }

  @Test
  @DisplayName("a wait that is cancelled stops asking, and its thread is gone")
  void cancelled() {
    CompletableFuture<OrchestrationStatus> wait = waitForEver();

    assertThat(wait.cancel(true)).isTrue();

    assertThatThrownBy(wait::join).isInstanceOf(CancellationException.class);
    world.until(() -> !waiter.isAlive());
  }

  @Test
  @DisplayName("a future that ends by its own timeout ends the wait too")
  void timedOut() {
    CompletableFuture<OrchestrationStatus> wait = waitForEver();

    wait.complete(new OrchestrationStatus.NotFound());

    world.until(() -> !waiter.isAlive());
    assertThat(wait).isCompletedWithValue(new OrchestrationStatus.NotFound());
  }
}
