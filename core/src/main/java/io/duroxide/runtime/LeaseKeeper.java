package io.duroxide.runtime;

import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import io.duroxide.telemetry.NodeEvent.LockKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the locks of everything in progress: one thread, which sleeps while there is nothing, sees
 * what is due and hands it to a few others, which renew together what came due together. So the
 * store is called a few times for each interval, however many locks there are, and a slow call
 * holds up only the locks that it renews.
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

  /** How many calls to the store may be under way at a time. */
  private static final int RENEWERS = 16;

  /** How many locks one call renews. */
  private static final int TOGETHER = 256;

  /** A lock being kept. */
  final class Lease implements AutoCloseable {
    private final LockKind lock;
    private final LockRenewal renewal;
    private final Duration length;
    private final Runnable onLost;
    private final long intervalNanos;
    private final long keptSince;
    private volatile long renewAt;
    private volatile long endsAt;
    private volatile boolean underWay;
    private volatile boolean lost;

    private Lease(
        LockKind lock, String token, Duration length, Duration interval, Runnable onLost) {
      this.lock = lock;
      this.renewal = new LockRenewal(kindOf(lock), token, length);
      this.length = length;
      this.onLost = onLost;
      this.intervalNanos = interval.toNanos();
      long now = time.nanoTime();
      this.keptSince = now;
      this.renewAt = now + intervalNanos;
      this.endsAt = now + length.toNanos();
    }

    /** Whether the lock is, as far as known, still held and being renewed. */
    boolean isHeld() {
      return !lost && !closed && time.nanoTime() - endsAt < 0;
    }

    /** Stops renewing. */
    @Override
    public void close() {
      leases.remove(this);
    }

    /**
     * Whether it is due for renewal. A renewal that has not come back by the end of the lock comes
     * too late.
     */
    private boolean isDue(long now) {
      if (now - endsAt >= 0) {
        lose(
            new ProviderException(
                ProviderException.Kind.TIMEOUT, "renewal", "not renewed by the end of the lock"));
        return false;
      }
      return !underWay && now - renewAt >= 0;
    }

    /** What the store has said of a renewal that began at {@code began}. */
    private void answered(RenewalAnswer answer, long began) {
      ProviderException refusal = answer.refusal();
      if (refusal != null) {
        failed(refusal, refusal.retryable());
        return;
      }
      boolean inUse = answer.state() == RenewalAnswer.State.IN_USE;
      endsAt = began + length.toNanos();
      renewAt = began + (inUse ? Math.min(RETRY.toNanos(), intervalNanos) : intervalNanos);
    }

    private void failed(Throwable e, boolean passing) {
      long now = time.nanoTime();
      boolean again = passing && now - endsAt < 0;
      if (again) {
        signals.renewalFailed(lock, e, false);
        LOG.debug("renewal failed, trying again: {}", e.getMessage());
        renewAt = now + Math.min(RETRY.toNanos(), (endsAt - now) / 2);
        return;
      }
      lose(e);
    }

    private void lose(Throwable e) {
      if (leases.remove(this) == null) {
        return;
      }
      lost = true;
      signals.renewalFailed(lock, e, true);
      LOG.debug("lock lost: {}", e.getMessage());
      onLost.run();
    }
  }

  private final Waiting time;
  private final Provider provider;
  private final Signals signals;
  private final ExecutorService renewers;
  private final Map<Lease, Boolean> leases = new ConcurrentHashMap<>();
  private final Thread thread;
  private final RoundGuard guard;
  private final long shortestLock;
  private volatile boolean closed;
  private volatile long lookedAt;
  private volatile boolean resting;
  private volatile long lookNanos = Duration.ofSeconds(1).toNanos();

  LeaseKeeper(RuntimeParts parts) {
    this(
        parts,
        parts.threads().pool("duroxide-renewals-" + parts.runtimeId() + "-", RENEWERS, LINGER));
  }

  /**
   * A keeper.
   *
   * @param renewers call the store; shut down when the keeper ends
   */
  LeaseKeeper(RuntimeParts parts, ExecutorService renewers) {
    this.renewers = renewers;
    this.time = parts.time();
    this.provider = parts.provider();
    this.signals = parts.signals();
    this.guard = new RoundGuard("duroxide-leases-" + parts.runtimeId(), time, signals::met);
    this.shortestLock = shortestLock(parts.options());
    this.lookedAt = time.nanoTime();
    this.thread = parts.threads().platform("duroxide-leases-" + parts.runtimeId(), this::run);
  }

  void start() {
    thread.start();
  }

  /** Keeps a lock until the lease is closed or lost. */
  Lease keep(
      LockKind lock, String token, Duration length, Duration interval, @Nullable Runnable onLost) {
    Lease lease = new Lease(lock, token, length, interval, onLost == null ? () -> {} : onLost);
    long look = Math.max(1, interval.toNanos() / LOOKS_PER_INTERVAL);
    try {
      leases.put(lease, Boolean.TRUE);
    } catch (Error e) {
      lease.close();
      throw e;
    }
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
    guard.loop(() -> !closed, this::round);
    renewers.shutdown();
  }

  private void round() {
    LockSupport.parkNanos(this, lookNanos);
    look();
    if (leases.isEmpty()) {
      rest();
    }
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
    List<Lease> due = new ArrayList<>();
    for (Lease lease : leases.keySet()) {
      guarded(() -> {
        if (lease.isDue(now)) {
          due.add(lease);
        }
      });
    }
    for (int from = 0; from < due.size(); from += TOGETHER) {
      handOut(List.copyOf(due.subList(from, Math.min(due.size(), from + TOGETHER))));
    }
    lookedAt = now;
  }

  private void handOut(List<Lease> batch) {
    batch.forEach(lease -> lease.underWay = true);
    try {
      renewers.execute(() -> renewNow(batch));
    } catch (RuntimeException | Error e) {
      batch.forEach(lease -> lease.underWay = false);
      guard.note(e);
    }
  }

  /** Whatever it throws, an error too, ends no thread; what was closed meanwhile is left alone. */
  private void renewNow(List<Lease> batch) {
    try {
      List<Lease> kept = batch.stream().filter(leases::containsKey).toList();
      if (!kept.isEmpty()) {
        renew(kept);
      }
    } catch (Throwable e) {
      guard.note(e);
    } finally {
      batch.forEach(lease -> lease.underWay = false);
    }
  }

  /** One that makes the whole call fail for good must not cost the others their locks. */
  private void renew(List<Lease> kept) {
    long began = time.nanoTime();
    try {
      List<RenewalAnswer> answers =
          provider.renewLocks(kept.stream().map(lease -> lease.renewal).toList());
      signals.storeAnswered();
      for (int i = 0; i < kept.size(); i++) {
        Lease lease = kept.get(i);
        RenewalAnswer answer = answers.get(i);
        guarded(() -> lease.answered(answer, began));
      }
    } catch (ProviderException e) {
      if (e.retryable() || kept.size() == 1) {
        kept.forEach(lease -> guarded(() -> lease.failed(e, e.retryable())));
      } else {
        renewEach(kept);
      }
    } catch (RuntimeException | Error e) {
      guard.note(e);
      if (kept.size() == 1) {
        kept.forEach(lease -> guarded(() -> lease.failed(e, true)));
      } else {
        renewEach(kept);
      }
    }
  }

  private void renewEach(List<Lease> kept) {
    kept.forEach(lease -> renew(List.of(lease)));
  }

  /** What the holder of one lock throws keeps no other from its renewal. */
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      guard.note(e);
    }
  }

  private static LockRenewal.Kind kindOf(LockKind lock) {
    return switch (lock) {
      case ORCHESTRATION -> LockRenewal.Kind.INSTANCE;
      case ACTIVITY -> LockRenewal.Kind.ACTIVITY;
      case SESSION -> throw new IllegalArgumentException("sessions are renewed by their owner");
    };
  }

  private static long shortestLock(RuntimeOptions options) {
    return Math.min(
        options.orchestratorLockTimeout().toNanos(), options.workerLockTimeout().toNanos());
  }

  /** How late the next look is, as long as there is something to look after. */
  Duration lateness() {
    long now = time.nanoTime();
    long since = now;
    for (Lease lease : leases.keySet()) {
      since = Math.min(since, lease.keptSince);
    }
    since = Math.max(since, lookedAt);
    return Duration.ofNanos(Math.max(0, now - since - lookNanos));
  }

  /** Whether it is so late that this node should not take more than it has. */
  boolean isBehind() {
    return time.nanoTime() - lookedAt >= shortestLock / 2
        && lateness().toNanos() >= shortestLock / 2;
  }

  /** Whether it is so late that locks may have ended. */
  boolean isLost() {
    return lateness().toNanos() >= shortestLock;
  }

  /** The thread that looks. */
  Thread thread() {
    return thread;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
