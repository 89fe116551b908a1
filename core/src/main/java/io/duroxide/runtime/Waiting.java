package io.duroxide.runtime;

import io.duroxide.threads.ThreadMaker;
import java.time.Duration;

/** How the runtime lets time pass, and who works meanwhile; tests bring their own. */
interface Waiting {
  /** A steady clock for intervals. */
  long nanoTime();

  void sleep(Duration duration) throws InterruptedException;

  /** Makes the threads of the runtime. */
  default ThreadMaker threads() {
    return ThreadMaker.SYSTEM;
  }
}
