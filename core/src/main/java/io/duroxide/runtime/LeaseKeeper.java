package io.duroxide.runtime;

import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.NodeEvent.LockKind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the locks of everything in progress: one thread, which sleeps while there is nothing, sees
 * what is due and hands it to a few others, so that a slow call to the store holds up only itself.
 *
 * <p>None of them is a virtual one: handlers that compute without a pause would keep it from
 * running for as long as they like.
 *
 * <p>A renewal that fails for a passing reason is tried again every second, more often towards the
 * lock's known end; a lost lock is reported to its holder once. Thread-safe.
 */
final class LeaseKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.leases");
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration LINGER = Duration.ofSeconds(10);
  private static final int LOOKS_PER_INTERVAL = 8;

  /** How many renewals may be under way at a time. */
  private static final int RENEWERS = 16;

  /** Renews one lock. */
  @FunctionalInterface
  interface Renewal {
    void renew(Duration extendFor);
  }

  /** A lock being kept. */
  final class Lease implements AutoCloseable {
    private final LockKind lock;
    private final Renewal renewal;
    private final Duration length;
    private final Runnable onLost;
    private final long intervalNanos;
    private long renewAt;
    private long endsAt;
    private volatile boolean underWay;
    private volatile boolean lost;

    private Lease(
        LockKind lock, Renewal renewal, Duration length, Duration interval, Runnable onLost) {
      this.lock = lock;
      this.renewal = renewal;
      this.length = length;
      this.onLost = onLost;
      this.intervalNanos = interval.toNanos();
      long now = time.nanoTime();
      this.renewAt = now + intervalNanos;
      this.endsAt = now + length.toNanos();
    }

    /** Whether the lock is, as far as known, still held and being renewed. */
    boolean isHeld() {
      return !lost && !closed;
    }

    /** Stops renewing. */
    @Override
    public void close() {
      leases.remove(this);
    }

    private void tick(long now) {
      if (underWay || now - renewAt < 0) {
        return;
      }
      underWay = true;
      try {
        renewers.execute(this::renewNow);
      } catch (RuntimeException | Error e) {
        underWay = false;
        LOG.error("no thread for a renewal, trying again", e);
      }
    }

    /**
     * Whatever it throws, an error too, ends no thread; what was closed meanwhile is left alone.
     */
    private void renewNow() {
      try {
        if (leases.containsKey(this)) {
          renew(time.nanoTime());
        }
      } catch (Throwable e) {
        LOG.error("a lock could not be looked after", e);
      } finally {
        underWay = false;
      }
    }

    private void renew(long began) {
      try {
        renewal.renew(length);
        renewAt = began + intervalNanos;
        endsAt = began + length.toNanos();
      } catch (ProviderException e) {
        failed(e, e.retryable());
      } catch (RuntimeException | Error e) {
        LOG.error("renewal failed unexpectedly", e);
        failed(e, true);
      }
    }

    private void failed(Throwable e, boolean passing) {
      long now = time.nanoTime();
      boolean again = passing && now - endsAt < 0;
      signals.renewalFailed(lock, e, !again);
      if (again) {
        LOG.debug("renewal failed, trying again: {}", e.getMessage());
        renewAt = now + Math.min(RETRY.toNanos(), (endsAt - now) / 2);
        return;
      }
      LOG.debug("lock lost: {}", e.getMessage());
      lost = true;
      close();
      onLost.run();
    }
  }

  private final Waiting time;
  private final Signals signals;
  private final ExecutorService renewers;
  private final Map<Lease, Boolean> leases = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean resting;
  private volatile long lookNanos = Duration.ofSeconds(1).toNanos();

  LeaseKeeper(RuntimeParts parts) {
    this(parts, renewers(parts.runtimeId()));
  }

  /**
   * A keeper.
   *
   * @param renewers call the store; shut down when the keeper ends
   */
  LeaseKeeper(RuntimeParts parts, ExecutorService renewers) {
    this.renewers = renewers;
    this.time = parts.time();
    this.signals = parts.signals();
    this.thread =
        Thread.ofPlatform()
            .name("duroxide-leases-" + parts.runtimeId())
            .daemon()
            .unstarted(this::run);
  }

  private static ExecutorService renewers(String runtimeId) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            RENEWERS,
            RENEWERS,
            LINGER.toNanos(),
            TimeUnit.NANOSECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("duroxide-renewals-" + runtimeId + "-", 0).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  void start() {
    thread.start();
  }

  /** Keeps a lock until the lease is closed or lost. */
  Lease keep(
      LockKind lock,
      Renewal renewal,
      Duration length,
      Duration interval,
      @Nullable Runnable onLost) {
    Lease lease = new Lease(lock, renewal, length, interval, onLost == null ? () -> {} : onLost);
    long look = Math.max(1, interval.toNanos() / LOOKS_PER_INTERVAL);
    leases.put(lease, Boolean.TRUE);
    if (resting || look < lookNanos) {
      lookNanos = Math.min(look, lookNanos);
      LockSupport.unpark(thread);
    }
    return lease;
  }

  /**
   * What follows one upon the other finds the thread in a sleep that ends by itself: waking it for
   * each would cost more than most activities.
   */
  private void run() {
    while (!closed) {
      LockSupport.parkNanos(this, lookNanos);
      look();
      if (leases.isEmpty()) {
        rest();
      }
    }
    renewers.shutdown();
  }

  /** Sleeps until there is something to keep; whoever comes meanwhile sees that it does. */
  private void rest() {
    resting = true;
    while (leases.isEmpty() && !closed) {
      LockSupport.park(this);
    }
    resting = false;
  }

  /** Hands out what is due. */
  void look() {
    long now = time.nanoTime();
    leases.keySet().forEach(lease -> lease.tick(now));
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
