package io.duroxide.client;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an instance: told by commits of this process, and by a poll that slows down from 5 to
 * 100 ms for commits of others. As long as this process is at work on the instance, polls are left
 * out. It listens from when it is made until it is closed, and is for one wait.
 */
final class StatusWait<T> implements AutoCloseable {
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long FIRST_PAUSE_OF_NEW = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LAST_LOOK = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

  private final String instanceId;
  private final Supplier<T> look;
  private final Predicate<T> enough;
  private final Hearing<T> hearing;
  private final Semaphore signals = new Semaphore(0);
  private final Subscription subscription;
  private volatile boolean near;
  private volatile @Nullable T told;

  /** What a wait makes of a commit. Called by whoever commits. */
  interface Hearing<T> {
    /** Whether the commit is worth a look. */
    boolean matters(TurnCommit commit);

    /** What is waited for, if a commit that matters says it by itself. */
    @Nullable T told(TurnCommit commit);
  }

  /**
   * Begins to listen.
   *
   * @param look what the store says now
   * @param enough whether that is what is waited for
   */
  StatusWait(
      Provider store,
      String instanceId,
      Supplier<T> look,
      Predicate<T> enough,
      Hearing<T> hearing) {
    this.instanceId = instanceId;
    this.look = look;
    this.enough = enough;
    this.hearing = hearing;
    this.subscription = store.localBus().watch(instanceId, this::hear);
  }

  /** Looks whenever a commit has changed something that clients can see. */
  static <T> Hearing<T> anyChange() {
    return new Hearing<>() {
      @Override
      public boolean matters(TurnCommit commit) {
        return commit.isVisibleToClients();
      }

      @Override
      public @Nullable T told(TurnCommit commit) {
        return null;
      }
    };
  }

  private void hear(TurnCommit commit) {
    near = true;
    if (hearing.matters(commit)) {
      told = hearing.told(commit);
      signals.release();
    }
  }

  /**
   * Waits for something that may be so already; empty when the time is over. A commit only makes it
   * look: it may be told late, when the instance was restarted since.
   *
   * @throws ClientException.Interrupted if the caller is interrupted, which it stays
   */
  Optional<T> await(Duration timeout) {
    return await(timeout, true);
  }

  /** Waits for something that was not so when this began to listen: it looks only in a while. */
  Optional<T> awaitNew(Duration timeout) {
    return await(timeout, false);
  }

  private Optional<T> await(Duration timeout, boolean atOnce) {
    long began = SystemTime.nanoTime();
    long pause = atOnce ? FIRST_PAUSE : FIRST_PAUSE_OF_NEW;
    boolean due = atOnce;
    try {
      while (true) {
        long left = timeout.toNanos() - (SystemTime.nanoTime() - began);
        T seen = due || left <= 0 ? tryLook(left) : null;
        if (seen != null && enough.test(seen)) {
          return Optional.of(seen);
        }
        if (left <= 0) {
          return Optional.empty();
        }
        if (signals.tryAcquire(Math.min(pause, left), TimeUnit.NANOSECONDS)) {
          signals.drainPermits();
          T news = atOnce ? null : told;
          if (news != null) {
            return Optional.of(news);
          }
          due = true;
        } else {
          due = !near;
          near = false;
          pause = due ? Math.min(pause * 2, LONGEST_PAUSE) : LONGEST_PAUSE;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClientException.Interrupted(
          "interrupted while waiting for instance '" + instanceId + "', which goes on");
    }
  }

  /**
   * Looks on another thread, so that a store that hangs holds up nobody for long. A passing error
   * of the store does not end the wait.
   */
  private @Nullable T tryLook(long left) throws InterruptedException {
    CompletableFuture<T> answer = AsyncCall.start(look);
    try {
      return answer.get(Math.max(0, left) + LAST_LOOK, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      return null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ProviderException failure && failure.retryable()) {
        return null;
      }
      throw unchecked(e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      case null, default -> new IllegalStateException(failure);
    };
  }

  @Override
  public void close() {
    subscription.close();
  }
}
