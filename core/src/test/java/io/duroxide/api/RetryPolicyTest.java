package io.duroxide.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static final Backoff DOUBLING =
      new Backoff.Exponential(Duration.ofMillis(100), 2.0, Duration.ofSeconds(30));

  @Test
  @DisplayName("E2E-350 OR-033 three attempts, doubling pauses from 100 ms to 30 s, no time-out")
  void defaults() {
    assertThat(RetryPolicy.DEFAULT).isEqualTo(new RetryPolicy(3, DOUBLING, null));
    assertThat(RetryPolicy.attempts(7)).isEqualTo(new RetryPolicy(7, DOUBLING, null));
  }

  @Test
  @DisplayName("E2E-350 OR-033 fewer than one attempt is refused")
  void noAttempts() {
    assertThatThrownBy(() -> RetryPolicy.attempts(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxAttempts must be at least 1, not 0");
  }

  @Test
  @DisplayName("E2E-350 the parts of a policy combine")
  void combined() {
    Backoff fixed = new Backoff.Fixed(Duration.ofSeconds(1));
    RetryPolicy policy =
        RetryPolicy.attempts(5).withBackoff(fixed).withTimeout(Duration.ofSeconds(9));

    assertThat(policy).isEqualTo(new RetryPolicy(5, fixed, Duration.ofSeconds(9)));
  }

  @Test
  @DisplayName("E2E-351 a factor of 3")
  void tripling() {
    Backoff backoff = new Backoff.Exponential(Duration.ofMillis(10), 3.0, Duration.ofMillis(100));

    assertThat(backoff.delayAfter(1)).isEqualTo(Duration.ofMillis(10));
    assertThat(backoff.delayAfter(2)).isEqualTo(Duration.ofMillis(30));
    assertThat(backoff.delayAfter(3)).isEqualTo(Duration.ofMillis(90));
    assertThat(backoff.delayAfter(4)).isEqualTo(Duration.ofMillis(100));
  }
}
