package io.duroxide.provider;

import io.duroxide.provider.ProviderException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a store that does one round of work after the other.
 *
 * <p>A round that fails, with whatever it is, is told and followed by a pause, and the next one
 * comes. If the thread ends all the same, it is asked for that: calls that need it are refused.
 * Thread-safe.
 */
public final class StoreThread {
  private final String role;
  private final Rounds rounds;
  private final Setbacks setbacks;
  private final Thread thread;
  private final LongSupplier nanos = SystemTime.nanos();
  private volatile boolean begun;
  private volatile boolean stopped;
  private volatile boolean over;
  private volatile @Nullable Throwable cause;

  /** Work that is done again and again. */
  public interface Rounds {
    /** Does one round; whatever it throws, those who waited for it were answered. */
    void next() throws Throwable;

    /** There will be no more rounds although nobody stopped the thread. */
    void ended();
  }

  StoreThread(String role, Rounds rounds, Setbacks setbacks, Function<Runnable, Thread> maker) {
    this.role = role;
    this.rounds = rounds;
    this.setbacks = setbacks;
    this.thread = maker.apply(this::work);
  }

  /** Begins; to be called once. */
  public void start() {
    thread.start();
    begun = true;
  }

  /** Whether it was started. */
  public boolean isBegun() {
    return begun;
  }

  /** Whether it still has to do rounds. */
  public boolean isStopped() {
    return stopped;
  }

  /** What follows its failed rounds. */
  public Setbacks setbacks() {
    return setbacks;
  }

  private void work() {
    try {
      while (!stopped) {
        round();
      }
    } catch (Throwable end) {
      cause = end;
      over = true;
      try {
        rounds.ended();
      } finally {
        setbacks.last(end);
      }
    }
  }

  private void round() {
    try {
      rounds.next();
      setbacks.over();
    } catch (InterruptedException woken) {
      // Somebody wants it to look whether it was stopped.
    } catch (Throwable failure) {
      setbacks.after(failure);
    }
  }

  /** No more rounds begin. */
  public void stop() {
    stopped = true;
  }

  /** Wakes it if it waits. */
  public void interrupt() {
    thread.interrupt();
  }

  /** Whether it does no work any more, stopped or not. */
  public boolean hasEnded() {
    return over || (begun && !thread.isAlive());
  }

  /** Whether it has ended although nobody stopped it. */
  public boolean hasFailed() {
    return !stopped && hasEnded();
  }

  /** Throws if it has ended although nobody stopped it. */
  public void check(String operation) {
    if (hasFailed()) {
      throw refusal(operation);
    }
  }

  /** What a call is told that needs this thread, which has ended. */
  public ProviderException refusal(String operation) {
    return new ProviderException(Kind.UNAVAILABLE, operation, text(), cause);
  }

  /** What is wrong with it; nothing while it works, or after it was stopped. */
  public Optional<String> complaint() {
    return hasFailed() ? Optional.of(text()) : Optional.empty();
  }

  private String text() {
    Throwable end = cause;
    String why = end == null ? "for an unknown reason" : end.getClass().getName();
    return "the store's " + role + " thread has ended (" + why + "); open the store anew";
  }

  /** Waits for its end; false if that does not come in time. An interrupt is kept for later. */
  public boolean join(Duration limit) {
    long deadline = nanos.getAsLong() + limit.toNanos();
    boolean interrupted = false;
    while (begun && thread.isAlive()) {
      long left = deadline - nanos.getAsLong();
      if (left <= 0) {
        break;
      }
      try {
        thread.join(Duration.ofNanos(left));
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !begun || !thread.isAlive();
  }
}
