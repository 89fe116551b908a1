package io.duroxide.e2e;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A store's clock that stands still until a test moves it. Thread-safe. */
final class TestClock implements InstantSource {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));

  @Override
  public Instant instant() {
    return now.get();
  }

  void advance(Duration duration) {
    now.updateAndGet(instant -> instant.plus(duration));
  }
}
