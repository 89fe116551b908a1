package io.duroxide.provider;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Remembers the last step of a store's clock and logs each; for stores. Thread-safe. */
public final class ClockSteps {
  private static final long HALF_SECOND = 500;

  private final Logger log;
  private final AtomicReference<@Nullable ClockStep> newest = new AtomicReference<>();

  public ClockSteps(Logger log) {
    this.log = log;
  }

  /** The store has noticed a step, and nobody before it: it is logged. */
  public void noticed(Duration back, Instant now) {
    Duration size = add(back, now).back();
    log.atWarn()
        .addKeyValue("back_ms", back.toMillis())
        .log("store clock went back by {}; order is kept, timers come up to {} later", size, size);
  }

  /** Another process has noticed a step, and has logged it. */
  public void heard(Duration back, Instant now) {
    add(back, now);
  }

  private ClockStep add(Duration back, Instant now) {
    Duration size = Duration.ofSeconds(back.plusMillis(HALF_SECOND).toSeconds());
    ClockStep before = newest.get();
    ClockStep step = new ClockStep(before == null ? 1 : before.number() + 1, size, now);
    newest.set(step);
    return step;
  }

  public Optional<ClockStep> newest() {
    return Optional.ofNullable(newest.get());
  }
}
