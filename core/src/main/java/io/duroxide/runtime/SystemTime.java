package io.duroxide.runtime;

import java.time.Duration;

/** The real time; the only place of the runtime that takes it. */
final class SystemTime implements Waiting {
  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    Thread.sleep(duration);
  }
}
