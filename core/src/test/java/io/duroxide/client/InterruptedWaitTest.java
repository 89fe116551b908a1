package io.duroxide.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Interrupted waits of clients")
class InterruptedWaitTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  private final MemoryProvider provider = MemoryProvider.create();
  private final Client client = Client.of(provider);

  @AfterEach
  void close() {
    provider.close();
  }

  @Test
  @DisplayName("an interrupt is no time-out, not to be tried again, and stays with the caller")
  void interrupted() {
    Stream<ThrowingCallable> waits =
        Stream.of(
            () -> client.run(FLOW, "f", "in", HOUR),
            () -> client.waitFor(FLOW, "f", HOUR),
            () -> client.waitForCompletion("f", HOUR),
            () -> client.waitForKv("f", "key", String.class, HOUR));
    waits.forEach(wait -> {
      Thread.currentThread().interrupt();
      assertThatThrownBy(wait)
          .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.retryable()).isFalse())
          .hasMessage("interrupted while waiting for instance 'f', which goes on");
      assertThat(Thread.interrupted()).isTrue();
    });
  }
}
