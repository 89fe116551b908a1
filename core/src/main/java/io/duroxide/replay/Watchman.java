package io.duroxide.replay;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes threads that wait for code to give the baton back when it is time to look at that code.
 *
 * <p>One thread for all of them: a wait with a timeout of its own costs two wake-ups of the timer's
 * thread, and nearly all code gives the baton back within microseconds. It sleeps until the
 * earliest look it knows of, and goes once nobody has called for a while. Thread-safe.
 */
final class Watchman {
  private static final Watchman INSTANCE = new Watchman();
  private static final long NEVER = Long.MAX_VALUE;
  private static final long LINGER_NANOS = 500_000_000;

  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final long origin = SystemTime.nanoTime();
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private volatile long rises = NEVER;
  private volatile boolean called;

  private Watchman() {}

  /** Somebody to be woken. */
  static final class Call implements AutoCloseable {
    private final Thread sleeper;
    private final long everyNanos;
    private volatile long due;

    private Call(long everyNanos) {
      this.sleeper = Thread.currentThread();
      this.everyNanos = everyNanos;
      this.due = INSTANCE.now() + everyNanos;
    }

    /** Whether the time has come; if so, the next one is set. */
    boolean isDue() {
      long now = INSTANCE.now();
      if (now < due) {
        return false;
      }
      due = now + everyNanos;
      return true;
    }

    @Override
    public void close() {
      INSTANCE.calls.remove(this);
    }
  }

  /** From now on wakes the calling thread at this interval, until the call is closed. */
  static Call call(long everyNanos) {
    Call call = new Call(everyNanos);
    INSTANCE.add(call);
    return call;
  }

  private void add(Call call) {
    calls.add(call);
    if (!called) {
      called = true;
    }
    Thread watching = thread.get();
    if (watching == null) {
      begin();
    } else if (call.due < rises) {
      LockSupport.unpark(watching);
    }
  }

  private long now() {
    return SystemTime.nanoTime() - origin;
  }

  private void begin() {
    Thread fresh = Thread.ofVirtual().name("duroxide-watchman").unstarted(this::work);
    if (thread.compareAndSet(null, fresh)) {
      fresh.start();
    }
  }

  /** While it is awake it rises never, so whoever calls meanwhile makes it look again. */
  private void work() {
    do {
      boolean wasCalled = called;
      called = false;
      rises = NEVER;
      long next = wakeDue();
      if (next == NEVER && wasCalled) {
        next = now() + LINGER_NANOS;
      }
      rises = next;
      if (next != NEVER) {
        LockSupport.parkNanos(this, next - now());
      }
    } while (rises != NEVER || !isGone());
  }

  /** Whoever calls after this finds nobody; whoever called before is seen here. */
  private boolean isGone() {
    thread.set(null);
    return calls.isEmpty() || !thread.compareAndSet(null, Thread.currentThread());
  }

  /** Wakes those whose time has come; returns when the next time comes. */
  private long wakeDue() {
    long now = now();
    long next = NEVER;
    for (Call call : calls) {
      if (call.due <= now) {
        LockSupport.unpark(call.sleeper);
        next = Math.min(next, now + call.everyNanos);
      } else {
        next = Math.min(next, call.due);
      }
    }
    return next;
  }
}
