package io.duroxide.provider.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved. Thread-safe. */
final class HandClock implements InstantSource {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));

  @Override
  public Instant instant() {
    return now.get();
  }

  void advance(Duration step) {
    now.updateAndGet(instant -> instant.plus(step));
  }
}
