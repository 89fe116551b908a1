package io.duroxide.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The watch over orchestration code")
class WatchmanTest {
  @Test
  @DisplayName("RL-014 an error of the JVM in the watchdog: it goes on and wakes those who wait")
  void goesOn() {
    Thread caller = Thread.currentThread();
    AtomicBoolean failed = new AtomicBoolean();
    Watchman watchman =
        new Watchman(() -> {
          if (!Thread.currentThread().equals(caller) && failed.compareAndSet(false, true)) {
            throw new OutOfMemoryError("no memory");
          }
          return System.nanoTime();
        });
    try (Watchman.Call call = watchman.wake(1_000_000)) {
      boolean woken = false;
      while (!woken) {
        LockSupport.park(this);
        woken = failed.get() && call.isDue();
      }
      assertThat(woken).isTrue();
    }
  }

  @Test
  @DisplayName("IV-23 a watchman that is dismissed ends at once, and comes back when called")
  void dismissed() {
    Watchman watchman = new Watchman(System::nanoTime);
    for (int i = 0; i < 3; i++) {
      watchman.wake(1_000_000).close();
      watchman.dismiss();
      assertThat(watchman.isAtWork()).isFalse();
    }
    try (Watchman.Call call = watchman.wake(Long.MAX_VALUE / 4)) {
      watchman.dismiss();
      assertThat(watchman.isAtWork()).isTrue();
      assertThat(call.isDue()).isFalse();
    }
    watchman.dismiss();
    assertThat(watchman.isAtWork()).isFalse();
  }
}
