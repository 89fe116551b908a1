package io.duroxide.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A commit that a client is told of late")
class LateNoticeTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  /** The end of an execution that was followed by a restart. */
  private static final TurnCommit END =
      TurnCommit.events(
          1, List.of(), ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "\"old\""));

  private final MemoryProvider provider = MemoryProvider.create();
  private final Client client = Client.of(provider);
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void close() {
    provider.close();
  }

  private void tellUntilOver() {
    while (!over.get()) {
      provider.localBus().committed("f", END);
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("EN-084 is not taken for the end of what runs now")
  void isNoAnswer() throws InterruptedException {
    client.start(FLOW, "f", "in");
    Thread teller = Thread.ofPlatform().start(this::tellUntilOver);
    try {
      assertThatThrownBy(() -> client.waitFor(FLOW, "f", Duration.ofMillis(200)))
          .isInstanceOf(ClientException.Timeout.class);
    } finally {
      over.set(true);
      teller.join();
    }
  }
}
