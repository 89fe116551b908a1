package io.duroxide.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  @DisplayName("E2E-351 OR-033 none is zero, fixed is always the same")
  void noneAndFixed() {
    for (int failures : new int[] {1, 2, Integer.MAX_VALUE}) {
      assertThat(new Backoff.None().delayAfter(failures)).isZero();
      assertThat(new Backoff.Fixed(ms(70)).delayAfter(failures)).isEqualTo(ms(70));
    }
  }

  @ParameterizedTest(name = "E2E-351 OR-033 linear after {0} failures: {1} ms")
  @CsvSource({"1, 100", "2, 200", "9, 900", "10, 950", "2147483647, 950"})
  void linear(int failures, long millis) {
    assertThat(new Backoff.Linear(ms(100), ms(950)).delayAfter(failures)).isEqualTo(ms(millis));
  }

  @ParameterizedTest(name = "E2E-351 OR-033 exponential after {0} failures: {1} ms")
  @CsvSource({"1, 100", "2, 200", "3, 400", "9, 25600", "10, 30000", "2147483647, 30000"})
  void exponential(int failures, long millis) {
    Backoff backoff = new Backoff.Exponential(ms(100), 2.0, Duration.ofSeconds(30));
    assertThat(backoff.delayAfter(failures)).isEqualTo(ms(millis));
  }

  @Test
  @DisplayName(
      "E2E-351 OR-033 factor 1 never grows, a zero base stays zero, a base above the cap is capped")
  void corners() {
    assertThat(new Backoff.Exponential(ms(100), 1.0, ms(500)).delayAfter(1_000_000))
        .isEqualTo(ms(100));
    assertThat(new Backoff.Exponential(Duration.ZERO, 2.0, ms(500)).delayAfter(Integer.MAX_VALUE))
        .isZero();
    assertThat(new Backoff.Linear(Duration.ZERO, ms(500)).delayAfter(Integer.MAX_VALUE)).isZero();
    assertThat(new Backoff.Exponential(ms(900), 2.0, ms(500)).delayAfter(1)).isEqualTo(ms(500));
    assertThat(new Backoff.Linear(ms(900), ms(500)).delayAfter(1)).isEqualTo(ms(500));
  }

  @Test
  @DisplayName("E2E-351 OR-033 the greatest durations do not overflow")
  void saturates() {
    assertThat(new Backoff.Linear(ms(100), FOREVER).delayAfter(3)).isEqualTo(ms(300));
    assertThat(new Backoff.Linear(FOREVER, FOREVER).delayAfter(3)).isEqualTo(FOREVER);
    assertThat(new Backoff.Linear(FOREVER, ms(500)).delayAfter(3)).isEqualTo(ms(500));
    assertThat(new Backoff.Exponential(ms(100), 2.0, FOREVER).delayAfter(3)).isEqualTo(ms(400));
    assertThat(new Backoff.Exponential(ms(100), 2.0, FOREVER).delayAfter(Integer.MAX_VALUE))
        .isEqualTo(FOREVER);
  }

  @Test
  @DisplayName(
      "OR-033 zero attempts are rejected, the defaults are three attempts from 100 ms to 30 s")
  void policy() {
    assertThatThrownBy(() -> RetryPolicy.attempts(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxAttempts must be at least 1, not 0");
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withTimeout(ms(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(RetryPolicy.DEFAULT)
        .isEqualTo(
            new RetryPolicy(
                3, new Backoff.Exponential(ms(100), 2.0, Duration.ofSeconds(30)), null));
    assertThat(ActivityOptions.options().timeout(ms(5)).retry())
        .isEqualTo(RetryPolicy.attempts(1).withTimeout(ms(5)));
  }
}
