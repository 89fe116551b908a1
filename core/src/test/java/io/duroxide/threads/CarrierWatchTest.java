package io.duroxide.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The watch over carriers")
class CarrierWatchTest {
  /** Where no new virtual thread gets to run. */
  private static final ThreadMaker STALLED =
      new ThreadMaker() {
        @Override
        public Thread unguarded(String name, Runnable task) {
          return ThreadMaker.super.unguarded(name, () -> {});
        }
      };

  @Test
  @DisplayName("RL-017 wakes virtual threads that wait for ever, if none gets to run")
  void wakes() throws InterruptedException {
    CountDownLatch woken = new CountDownLatch(2);
    CarrierWatch watch = new CarrierWatch(STALLED);
    Runnable end = watch.watch();
    Thread thread =
        Thread.ofVirtual()
            .start(
                watch.guarding(() -> {
                  while (woken.getCount() > 0) {
                    LockSupport.park();
                    woken.countDown();
                  }
                }));

    assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
    thread.join();
    end.run();
  }

  @Test
  @DisplayName("ends with the last one who wants it, and begins again")
  void ends() throws InterruptedException {
    List<Thread> made = new ArrayList<>();
    CarrierWatch watch =
        new CarrierWatch(
            new ThreadMaker() {
              @Override
              public Thread platform(String name, Runnable task) {
                Thread thread = ThreadMaker.super.platform(name, task);
                made.add(thread);
                return thread;
              }
            });
    for (int i = 0; i < 2; i++) {
      Runnable first = watch.watch();
      Thread begun = made.getLast();
      Runnable second = watch.watch();
      first.run();
      assertThat(begun.isAlive()).isTrue();
      second.run();
      begun.join();
    }
  }
}
