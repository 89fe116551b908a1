package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A dispatcher and a store that is away, in virtual time. */
@DisplayName("Outages")
class OutageTest {
  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final Duration BOUND = Duration.ofSeconds(3);

  private final VirtualTime time = new VirtualTime();
  private final CountDownLatch recovered = new CountDownLatch(1);
  private final List<Duration> fetches = new ArrayList<>();

  /** Asks a store that answers only when the outage is over. */
  private final class Asking extends Dispatcher<String> {
    Asking(RuntimeParts parts) {
      super("asking", parts, new Slots(4), new LeaseKeeper(parts, new CallersThread()));
    }

    @Override
    WorkQueue queue() {
      return WorkQueue.ORCHESTRATOR;
    }

    @Override
    List<String> fetch(int max, Duration longest) throws InterruptedException {
      fetches.add(time.elapsed());
      if (time.elapsed().compareTo(OUTAGE) < 0) {
        throw new ProviderException(
            ProviderException.Kind.UNAVAILABLE, "fetchOrchestrationItem", "away");
      }
      recovered.countDown();
      new CountDownLatch(1).await();
      return List.of();
    }

    @Override
    void process(String item, Runnable done) {
      done.run();
    }

    @Override
    void handBack(String item) {}
  }

  @Test
  @DisplayName("E2E-919 after an outage of 10 minutes the next fetch comes within 3 s")
  void recovers() throws InterruptedException {
    try (MemoryProvider provider = MemoryProvider.create(time::instant)) {
      Asking dispatcher = new Asking(Node.parts(provider, time));
      dispatcher.start();
      assertThat(recovered.await(30, TimeUnit.SECONDS)).isTrue();
      dispatcher.stop();
      assertThat(dispatcher.awaitStopped(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(fetches.getLast()).isBetween(OUTAGE, OUTAGE.plus(BOUND));
    assertThat(fetches).as("fetches in ten minutes").hasSizeBetween(200, 220);
  }
}
