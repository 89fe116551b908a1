package io.duroxide.runtime;

import java.time.Duration;

/** How the runtime lets time pass; tests bring their own. */
interface Waiting {
  /** A steady clock for intervals. */
  long nanoTime();

  void sleep(Duration duration) throws InterruptedException;
}
