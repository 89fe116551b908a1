package io.duroxide.replay;

import io.duroxide.threads.ThreadMaker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes threads that wait for code to give the baton back when it is time to look at that code.
 *
 * <p>One thread for all of them: a wait with a timeout of its own costs two wake-ups of the timer's
 * thread, and nearly all code gives the baton back within microseconds. It sleeps until the
 * earliest look it knows of, and goes once nobody has called for a while. It is a platform thread,
 * so that code which keeps all carriers of virtual threads does not keep it. Thread-safe.
 */
final class Watchman {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.replay");
  private static final Watchman INSTANCE = new Watchman(SystemTime::nanoTime);
  private static final long NEVER = Long.MAX_VALUE;
  private static final long LINGER_NANOS = 500_000_000;
  private static final Duration LEAVE_LIMIT = Duration.ofMillis(200);

  private static final long QUIET_NANOS = 60_000_000_000L;
  private static final long FIRST_PAUSE_NANOS = 100_000_000;
  private static final long LONGEST_PAUSE_NANOS = 5_000_000_000L;

  private final LongSupplier clock;
  private final long origin;
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private volatile long rises = NEVER;
  private volatile boolean called;
  private long pause = FIRST_PAUSE_NANOS;
  private long failures;
  private long toldAt;

  /** A watchman with a clock of its own, for tests. */
  Watchman(LongSupplier clock) {
    this.clock = clock;
    this.origin = clock.getAsLong();
  }

  /** Somebody to be woken. */
  final class Call implements AutoCloseable {
    private final Thread sleeper;
    private final long everyNanos;
    private volatile long due;

    private Call(long everyNanos) {
      this.sleeper = Thread.currentThread();
      this.everyNanos = everyNanos;
      this.due = now() + everyNanos;
    }

    /** Whether the time has come; if so, the next one is set. */
    boolean isDue() {
      long now = now();
      if (now < due) {
        return false;
      }
      due = now + everyNanos;
      return true;
    }

    @Override
    public void close() {
      calls.remove(this);
    }
  }

  /** From now on wakes the calling thread at this interval, until the call is closed. */
  static Call call(long everyNanos) {
    return INSTANCE.wake(everyNanos);
  }

  /** Has the thread end now instead of after a while, unless somebody still waits for code. */
  static void leave() {
    INSTANCE.dismiss();
  }

  void dismiss() {
    Thread watching = thread.get();
    if (watching == null || !calls.isEmpty()) {
      return;
    }
    called = false;
    LockSupport.unpark(watching);
    try {
      if (!watching.join(LEAVE_LIMIT)) {
        LOG.debug("the watch over orchestration code goes on for others");
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  /** As {@link #call}, by this one. */
  Call wake(long everyNanos) {
    Call call = new Call(everyNanos);
    add(call);
    return call;
  }

  boolean isAtWork() {
    return thread.get() != null;
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
    return clock.getAsLong() - origin;
  }

  private void begin() {
    Thread fresh = ThreadMaker.SYSTEM.platform("duroxide-watchman", this::work);
    if (thread.compareAndSet(null, fresh)) {
      fresh.start();
    }
  }

  /** While it is awake it rises never, so whoever calls meanwhile makes it look again. */
  private void work() {
    do {
      try {
        look();
        pause = FIRST_PAUSE_NANOS;
      } catch (Throwable e) {
        failed(e);
      }
    } while (rises != NEVER || !isGone());
  }

  private void look() {
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
  }

  /** It goes on, whatever it met; while there is no memory, without a word. */
  private void failed(Throwable cause) {
    rises = 0;
    failures++;
    try {
      if (toldAt == 0 || now() - toldAt > QUIET_NANOS) {
        toldAt = now();
        LOG.error("the watch over orchestration code failed {} times so far", failures, cause);
      }
    } catch (Throwable another) {
      failures++;
    }
    LockSupport.parkNanos(this, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
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
