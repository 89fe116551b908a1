package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.StoreHealth;
import io.duroxide.telemetry.Health;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What health says of the store's clock")
class ClockFactTest {
  private final VirtualTime time = new VirtualTime();
  private final RuntimeOptions options = RuntimeOptions.defaults();
  private final Signals signals = new Signals(options, "node", time, () -> Turns.NOON);

  private Health health() {
    Sessions sessions = new Sessions(options, "node", new Slots(1), signals);
    ExecutionCache cache = new ExecutionCache(1, new InstanceTurns(1), evicted -> {});
    return new HealthCheck(signals.watch(), options, new Vitals(signals, cache, sessions))
        .threads(List.of(), StoreHealth.SOUND)
        .open();
  }

  @Test
  @DisplayName("RL-044 a step back is a fact for an hour after it was noticed, and no problem")
  void hour() {
    assertThat(health().facts()).doesNotContainKey("store clock");
    signals.clockWentBack(Duration.ofHours(2), Duration.ofMinutes(10));

    assertThat(health().facts().get("store clock"))
        .isEqualTo("went back by PT2H, 600 s ago; order is kept, timers come up to PT2H later");
    assertThat(health().problems()).isEmpty();
    time.pass(Duration.ofMinutes(49));
    assertThat(health().facts()).containsKey("store clock");
    time.pass(Duration.ofMinutes(1));
    assertThat(health().facts()).doesNotContainKey("store clock");
  }
}
