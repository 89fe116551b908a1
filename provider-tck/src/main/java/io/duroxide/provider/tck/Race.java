package io.duroxide.provider.tck;

import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Calls that run at the same time. Closed by the test that opened it. */
final class Race implements AutoCloseable {
  /** Longer than any operation of a working provider takes. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How many spins may lie between two calls of a race. */
  private static final int JITTER = 500;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SplittableRandom jitter;

  Race(long seed) {
    jitter = new SplittableRandom(seed);
  }

  /**
   * How a call ended.
   *
   * @param value what it returned
   * @param failure what the provider threw
   */
  record Outcome<T>(@Nullable T value, @Nullable ProviderException failure) {
    boolean succeeded() {
      return failure == null;
    }

    boolean failedWith(ProviderException.Kind kind) {
      return failure != null && failure.kind() == kind;
    }

    /** The value; fails with what the provider threw. */
    T get() {
      if (failure != null) {
        throw new AssertionError("the provider refused: " + failure.getMessage(), failure);
      }
      if (value == null) {
        throw new AssertionError("the call returned nothing");
      }
      return value;
    }
  }

  /** Something to do that returns nothing. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** Starts a call now. */
  <T> Future<T> start(Callable<T> call) {
    return threads.submit(call);
  }

  /** Releases all calls at once and waits for them; results are in the order of the calls. */
  <T> List<Outcome<T>> together(List<Callable<T>> calls) {
    var barrier = new CyclicBarrier(calls.size());
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> call : calls) {
      int spins = jitter.nextInt(JITTER);
      futures.add(
          start(() -> {
            barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            spin(spins);
            return call.call();
          }));
    }
    return futures.stream().map(Race::outcome).toList();
  }

  /** As {@link #together(List)} for one call made several times. */
  <T> List<Outcome<T>> together(int times, Callable<T> call) {
    return together(Collections.nCopies(times, call));
  }

  /** As {@link #together(List)} for two steps that return nothing. */
  List<Outcome<Boolean>> together(Step first, Step second) {
    return together(List.of(done(first), done(second)));
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static Callable<Boolean> done(Step step) {
    return () -> {
      step.run();
      return true;
    };
  }

  /** Waits for a call; what the provider threw becomes part of the outcome. */
  static <T> Outcome<T> outcome(Future<T> future) {
    try {
      return new Outcome<>(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS), null);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ProviderException refused) {
        return new Outcome<>(null, refused);
      }
      throw new AssertionError("a concurrent call failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new AssertionError("a concurrent call still runs after " + PATIENCE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a concurrent call", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
