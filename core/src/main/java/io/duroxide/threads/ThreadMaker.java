package io.duroxide.threads;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes every thread of this module; tests bring one that fails. Thread-safe. */
public interface ThreadMaker {
  /** Threads of the JVM. */
  ThreadMaker SYSTEM = new ThreadMaker() {};

  /** A virtual thread that has yet to be started. */
  default Thread virtual(String name, Runnable task) {
    return unguarded(name, CarrierWatch.SYSTEM.guarding(task));
  }

  /** Looks after the virtual threads of the module until the answer is run, once. */
  default Runnable watchCarriers() {
    return CarrierWatch.SYSTEM.watch();
  }

  /** As {@link #virtual}, and nobody looks after it. */
  default Thread unguarded(String name, Runnable task) {
    return Thread.ofVirtual().name(name).unstarted(task);
  }

  /** A virtual thread for code of users, which inherits nothing from the thread that makes it. */
  default Thread secluded(String name, Runnable task) {
    return Thread.ofVirtual()
        .name(name)
        .inheritInheritableThreadLocals(false)
        .unstarted(CarrierWatch.SYSTEM.guarding(task));
  }

  /**
   * A thread that has yet to be started, keeps no JVM alive and runs even while code on all virtual
   * threads computes without a pause.
   */
  default Thread platform(String name, Runnable task) {
    return Thread.ofPlatform().name(name).daemon().unstarted(task);
  }

  /**
   * Up to {@code most} threads as made by {@link #platform}, which go when they have nothing to do.
   *
   * @param name of each, followed by a number
   */
  default ExecutorService pool(String name, int most, Duration linger) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            linger.toNanos(),
            TimeUnit.NANOSECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name(name, 0).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
