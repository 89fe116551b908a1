package io.duroxide.provider;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A span of time.
 *
 * @param from the first instant inside; null for no beginning
 * @param before the first instant no longer inside; null for no end
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant before) {
  /** Every instant, and also none. */
  public static final TimeRange ANY = new TimeRange(null, null);

  public boolean isAny() {
    return from == null && before == null;
  }

  /** Whether {@code instant} lies inside; one that is null does so in {@link #ANY} alone. */
  public boolean contains(@Nullable Instant instant) {
    if (instant == null) {
      return isAny();
    }
    return (from == null || !instant.isBefore(from))
        && (before == null || instant.isBefore(before));
  }
}
