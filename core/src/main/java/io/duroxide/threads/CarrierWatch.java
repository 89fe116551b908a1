package io.duroxide.threads;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that virtual threads go on after memory was short.
 *
 * <p>A virtual thread that parks while there is no memory for its stack keeps its carrier until it
 * is unparked. If that happens to all carriers, and their threads wait for other virtual threads,
 * no virtual thread of the process runs any more, for ever. So a platform thread starts a virtual
 * one every second. If that does not get to run, all virtual threads of the module are woken: they
 * find that they still have to wait, park again, and leave their carriers, as memory is there now.
 *
 * <p>The thread lives as long as a runtime does. Thread-safe.
 */
final class CarrierWatch {
  /** Looks after all virtual threads of the module. */
  static final CarrierWatch SYSTEM = new CarrierWatch(ThreadMaker.SYSTEM);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ThreadMaker maker;
  private final Set<Thread> living = ConcurrentHashMap.newKeySet();
  private final AtomicInteger owners = new AtomicInteger();
  private final AtomicReference<@Nullable Thread> watching = new AtomicReference<>();
  private volatile boolean answered;

  CarrierWatch(ThreadMaker maker) {
    this.maker = maker;
  }

  /** What a virtual thread does to be looked after while it does {@code task}. */
  Runnable guarding(Runnable task) {
    return () -> {
      Thread self = Thread.currentThread();
      enter(self);
      try {
        task.run();
      } finally {
        living.remove(self);
      }
    };
  }

  /** No memory to look after a thread is no reason not to run it. */
  private void enter(Thread thread) {
    try {
      living.add(thread);
    } catch (OutOfMemoryError unguarded) {
      living.remove(thread);
    }
  }

  /** Looks after them until the answer is run, once. */
  Runnable watch() {
    owners.incrementAndGet();
    begin();
    return () -> {
      owners.decrementAndGet();
      LockSupport.unpark(watching.get());
    };
  }

  private void begin() {
    Thread fresh = maker.platform("duroxide-carriers", this::work);
    if (watching.compareAndSet(null, fresh)) {
      fresh.start();
    }
  }

  private void work() {
    long look = LOOK_NANOS;
    do {
      look = isAlive(look) ? LOOK_NANOS : Math.min(2 * look, LONGEST_LOOK_NANOS);
    } while (owners.get() > 0 || !isGone());
  }

  /** Whoever comes after this finds nobody; whoever came before is seen here. */
  private boolean isGone() {
    watching.set(null);
    return owners.get() == 0 || !watching.compareAndSet(null, Thread.currentThread());
  }

  /** Whether a virtual thread runs within this time; if none does, all are woken. */
  private boolean isAlive(long nanos) {
    answered = false;
    try {
      maker.unguarded("duroxide-pulse", () -> answered = true).start();
    } catch (Throwable noMemory) {
      answered = false;
    }
    LockSupport.parkNanos(this, nanos);
    boolean alive = answered;
    if (!alive && owners.get() > 0) {
      wakeAll();
    }
    return alive;
  }

  /** Those that cannot be woken for want of memory are woken by the next look. */
  private void wakeAll() {
    try {
      living.forEach(LockSupport::unpark);
    } catch (Throwable noMemory) {
      answered = false;
    }
  }
}
