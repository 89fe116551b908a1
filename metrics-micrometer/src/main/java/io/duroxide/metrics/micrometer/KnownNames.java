package io.duroxide.metrics.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the values of a label few: the first so many are used as they are, all others are one.
 * Thread-safe.
 */
final class KnownNames {
  /** What all further values are called. */
  static final String OTHER = "other";

  private final int most;
  private final AtomicInteger count = new AtomicInteger();
  private final Map<String, String> names = new ConcurrentHashMap<>();

  KnownNames(int most) {
    this.most = most;
  }

  /** The name to use for a value. */
  String of(String value) {
    String known = names.get(value);
    if (known != null) {
      return known;
    }
    if (count.get() >= most) {
      return OTHER;
    }
    return names.computeIfAbsent(value, added -> count.incrementAndGet() <= most ? added : OTHER);
  }
}
