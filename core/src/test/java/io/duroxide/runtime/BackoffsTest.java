package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffsTest {
  @Test
  @DisplayName("E2E-622 work without a handler rests 1, 2, 4 … 60 s, or as chosen")
  void unregistered() {
    assertThat(
            IntStream.rangeClosed(1, 8)
                .mapToObj(
                    n -> Backoffs.unregistered(n, Duration.ofSeconds(1), Duration.ofSeconds(60)))
                .map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    assertThat(
            IntStream.rangeClosed(1, 5)
                .mapToObj(
                    n -> Backoffs.unregistered(n, Duration.ofMillis(100), Duration.ofMillis(500)))
                .map(Duration::toMillis))
        .containsExactly(100L, 200L, 400L, 500L, 500L);
  }

  @Test
  @DisplayName("E2E-919 however long the outage, a fetch is tried again within 3 s")
  void fetch() {
    assertThat(
            IntStream.of(1, 2, 3, 4, 5, 6, 1_000, Integer.MAX_VALUE)
                .mapToObj(Backoffs::afterFailedFetch)
                .map(Duration::toMillis))
        .containsExactly(200L, 400L, 800L, 1_600L, 3_000L, 3_000L, 3_000L, 3_000L);
  }

  @Test
  @DisplayName("E2E-565 E2E-566 E2E-907 short locks are renewed at half time, long ones by buffer")
  void renewal() {
    Duration buffer = Duration.ofSeconds(5);
    assertThat(Backoffs.renewalInterval(Duration.ofMillis(500), buffer))
        .isEqualTo(Duration.ofMillis(250));
    assertThat(Backoffs.renewalInterval(Duration.ofSeconds(5), Duration.ofSeconds(2)))
        .isEqualTo(Duration.ofMillis(2_500));
    assertThat(Backoffs.renewalInterval(Duration.ofSeconds(15), buffer))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(Backoffs.renewalInterval(Duration.ofSeconds(30), buffer))
        .isEqualTo(Duration.ofSeconds(25));
    assertThat(Backoffs.renewalInterval(Duration.ofSeconds(20), Duration.ofSeconds(60)))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
