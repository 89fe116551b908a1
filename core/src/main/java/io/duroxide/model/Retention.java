package io.duroxide.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which past executions of an instance are kept; the others may be pruned. An execution is kept if
 * either says so, and the current one always is. Meant for static import: {@code keepLast(3)}.
 *
 * @param keepLast this many of the newest, the current one included; null for no count
 * @param maxAge those that ended no longer ago than this; null for no age
 */
public record Retention(@Nullable Integer keepLast, @Nullable Duration maxAge) {
  public Retention {
    if (keepLast == null && maxAge == null) {
      throw new IllegalArgumentException("say how many executions to keep, or for how long");
    }
    if (keepLast != null && keepLast < 1) {
      throw new IllegalArgumentException(
          "keepLast counts the current execution, so it is at least 1, not " + keepLast);
    }
    if (maxAge != null && maxAge.isNegative()) {
      throw new IllegalArgumentException("maxAge must not be negative: " + maxAge);
    }
  }

  /** The newest executions. */
  public static Retention keepLast(int count) {
    return new Retention(count, null);
  }

  /** The current execution and what ended within this time. */
  public static Retention maxAge(Duration age) {
    return new Retention(null, age);
  }

  public Retention andKeepLast(int count) {
    return new Retention(count, maxAge);
  }

  public Retention andMaxAge(Duration age) {
    return new Retention(keepLast, age);
  }
}
