package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.examples.Approval.Decision;
import io.duroxide.examples.Approval.Expense;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How to test an orchestration: a store in memory, a clock that stands still, no sleeping. */
class ApprovalTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Expense CHAIR = new Expense("chair", 300, Duration.ofDays(3));

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
  private final MemoryProvider store = MemoryProvider.create(now::get);
  private final Client client = Client.of(store);
  private final DuroxideRuntime runtime =
      DuroxideRuntime.builder(store)
          .options(RuntimeOptions.builder().cachedExecutions(0).build()) // replay on every turn
          .activity(Approval.PAY, (ctx, expense) -> "paid by a fake")
          .orchestration(Approval.EXPENSE, Approval::expense)
          .start();

  @AfterEach
  void close() {
    runtime.close();
    store.close();
  }

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
    store.clockAdvanced();
  }

  @Test
  @DisplayName("an approved expense is paid")
  void approved() {
    String result = Approval.decided(client, "chair", CHAIR, new Decision(true, "Kim"));

    assertThat(result).isEqualTo("paid by a fake");
  }

  @Test
  @DisplayName("a refused expense names who refused it")
  void refused() {
    String result = Approval.decided(client, "chair", CHAIR, new Decision(false, "Kim"));

    assertThat(result).isEqualTo("refused by Kim");
  }

  @Test
  @DisplayName("after three days without an answer the wait is over")
  void threeDays() {
    client.start(Approval.EXPENSE, "chair", CHAIR);
    client.waitForCustomStatus("chair", "waiting for a decision", PATIENCE);
    pass(Duration.ofDays(3));

    assertThat(client.waitFor(Approval.EXPENSE, "chair", PATIENCE)).isEqualTo("nobody answered");
  }
}
