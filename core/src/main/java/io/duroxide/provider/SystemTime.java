package io.duroxide.provider;

import java.util.function.LongSupplier;

/** The machine's time; the only place of this package that takes it. */
public final class SystemTime {
  private SystemTime() {}

  /** A clock for measuring durations. Thread-safe. */
  public static LongSupplier nanos() {
    return System::nanoTime;
  }
}
