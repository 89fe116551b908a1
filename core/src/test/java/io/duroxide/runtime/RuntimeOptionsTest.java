package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Options of a runtime")
class RuntimeOptionsTest {
  private static final Duration BUFFER = Duration.ofSeconds(20);

  private final RuntimeOptions.Builder options = RuntimeOptions.builder();

  private void refused(String problem) {
    assertThatThrownBy(options::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }

  @Test
  @DisplayName("locks cannot be renewed at their end or later")
  void noBuffer() {
    options.lockRenewalBuffer(Duration.ZERO);
    refused("lockRenewalBuffer must be positive, not PT0S");
    options.lockRenewalBuffer(BUFFER).orchestratorLockRenewalBuffer(Duration.ofSeconds(-1));
    refused("orchestratorLockRenewalBuffer must be positive, not PT-1S");
  }

  @Test
  @DisplayName("the lock of an activity cannot be renewed before it begins")
  void longBufferOfActivities() {
    options.workerLockTimeout(BUFFER).lockRenewalBuffer(BUFFER);
    refused(
        "lockRenewalBuffer (PT20S) must be shorter than workerLockTimeout (PT20S); lower the buffer"
            + " or lengthen the lock");
  }

  @Test
  @DisplayName("the lock of a turn cannot be renewed before it begins")
  void longBufferOfTurns() {
    options.orchestratorLockTimeout(BUFFER).orchestratorLockRenewalBuffer(BUFFER.plusSeconds(1));
    refused(
        "orchestratorLockRenewalBuffer (PT21S) must be shorter than orchestratorLockTimeout"
            + " (PT20S); lower the buffer or lengthen the lock");
  }

  @Test
  @DisplayName("a lock below 15 s is renewed at its half, whatever the buffer")
  void shortLocks() {
    RuntimeOptions built =
        options
            .workerLockTimeout(Duration.ofSeconds(3))
            .orchestratorLockTimeout(Duration.ofSeconds(1))
            .lockRenewalBuffer(BUFFER)
            .orchestratorLockRenewalBuffer(BUFFER)
            .build();
    assertThat(built.lockRenewalBuffer()).isEqualTo(BUFFER);
  }
}
