package io.duroxide.client;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an instance: woken by commits of this process, and by a poll that slows down from 5 to
 * 100 ms for commits of others.
 */
final class StatusWait {
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

  private final Provider store;
  private final String instanceId;
  private final Duration timeout;

  StatusWait(Provider store, String instanceId, Duration timeout) {
    this.store = store;
    this.instanceId = instanceId;
    this.timeout = timeout;
  }

  /** Looks until {@code enough} holds; empty when the time is over. */
  <T> Optional<T> until(Supplier<T> look, Predicate<T> enough) {
    Semaphore signals = new Semaphore(0);
    Subscription subscription = store.watch(instanceId, signals::release);
    try {
      long began = SystemTime.nanoTime();
      long pause = FIRST_PAUSE;
      while (true) {
        long left = timeout.toNanos() - (SystemTime.nanoTime() - began);
        T seen = tryLook(look);
        if (seen != null && enough.test(seen)) {
          return Optional.of(seen);
        }
        if (left <= 0) {
          return Optional.empty();
        }
        if (signals.tryAcquire(Math.min(pause, left), TimeUnit.NANOSECONDS)) {
          signals.drainPermits();
        } else {
          pause = Math.min(pause * 2, LONGEST_PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      subscription.close();
    }
  }

  /** A passing error of the store does not end the wait. */
  private static <T> @Nullable T tryLook(Supplier<T> look) {
    try {
      return look.get();
    } catch (ProviderException e) {
      if (e.retryable()) {
        return null;
      }
      throw e;
    }
  }
}
