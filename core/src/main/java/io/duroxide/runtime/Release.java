package io.duroxide.runtime;

import java.util.concurrent.atomic.AtomicBoolean;

/** Gives something back once, however often it is asked to. Thread-safe. */
final class Release implements Runnable {
  private final AtomicBoolean done = new AtomicBoolean();
  private final Runnable action;

  Release(Runnable action) {
    this.action = action;
  }

  @Override
  public void run() {
    if (done.compareAndSet(false, true)) {
      action.run();
    }
  }
}
