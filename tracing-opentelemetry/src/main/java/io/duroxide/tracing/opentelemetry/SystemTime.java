package io.duroxide.tracing.opentelemetry;

import java.time.InstantSource;

/** The real time; the only place of tracing that takes it. */
final class SystemTime {
  private SystemTime() {}

  static InstantSource clock() {
    return InstantSource.system();
  }
}
