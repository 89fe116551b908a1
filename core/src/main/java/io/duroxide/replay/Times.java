package io.duroxide.replay;

import java.time.Duration;
import java.time.Instant;

/** Arithmetic on stored times: whole milliseconds, saturating. */
final class Times {
  private Times() {}

  static Instant plus(Instant start, Duration delay) {
    long now = start.toEpochMilli();
    long millis = toMillis(delay);
    long sum = now + millis;
    boolean overflow = ((now ^ sum) & (millis ^ sum)) < 0;
    return Instant.ofEpochMilli(overflow ? Long.MAX_VALUE : sum);
  }

  private static long toMillis(Duration delay) {
    if (delay.isNegative()) {
      return 0;
    }
    return delay.toSeconds() >= Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : delay.toMillis();
  }
}
