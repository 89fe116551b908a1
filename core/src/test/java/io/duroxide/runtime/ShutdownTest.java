package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.telemetry.Health;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node with an activity that ends when the test says so. */
@DisplayName("Shutdown")
class ShutdownTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final MemoryProvider provider = MemoryProvider.create();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final DuroxideRuntime node =
      DuroxideRuntime.builder(provider)
          .activity(
              WORK,
              (ctx, input) -> {
                begun.countDown();
                end.await();
                return input;
              })
          .orchestration(FLOW, (ctx, input) -> ctx.call(WORK, input).await())
          .start();

  @AfterEach
  void close() {
    end.countDown();
    node.close();
    provider.close();
  }

  private void work() throws InterruptedException {
    Client.of(provider).start(FLOW, "f", "x");
    assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("a second call waits for the first and says the same")
  void together() throws Exception {
    work();
    CompletableFuture<Boolean> first = new CompletableFuture<>();
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    CompletableFuture<Boolean> endedBefore = new CompletableFuture<>();
    Thread.startVirtualThread(() -> first.complete(node.shutdown(PATIENCE)));
    await().until(() -> node.health().status() == Health.Status.DOWN);
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              boolean undisturbed = node.shutdown(PATIENCE);
              endedBefore.complete(end.getCount() == 0);
              second.complete(undisturbed);
            });
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING || second.isDone());
    end.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(endedBefore).isCompletedWithValue(true);
  }

  @Test
  @DisplayName("a later call says what the first had to interrupt")
  void later() throws InterruptedException {
    work();
    assertThat(node.shutdown(Duration.ZERO)).isFalse();
    assertThat(node.shutdown(PATIENCE)).isFalse();
  }
}
