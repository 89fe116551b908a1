package io.duroxide.api;

import java.time.Duration;
import java.util.function.Function;

/**
 * The result of something an orchestration scheduled. It belongs to the orchestration that made it
 * and has no meaning elsewhere.
 *
 * <p>A future that merely becomes unreachable stays pending; cancel what is no longer wanted, or
 * let a {@link CancellationScope} do it.
 */
public interface DurableFuture<T> {

  /**
   * Blocks the orchestration until the result is there. Any number of calls give the same result.
   *
   * @throws OrchestrationFailure if what was scheduled failed
   */
  T await();

  /** Waits at most this long; gives the future up when the time is over. */
  Awaited<T> await(Duration timeout);

  /** Whether {@link #await()} would return or throw at once. */
  boolean isDone();

  /**
   * A view of the same operation with its result transformed. {@code transformation} runs once,
   * when the result is first observed.
   */
  <R> DurableFuture<R> map(Function<? super T, ? extends R> transformation);

  /**
   * Gives the future up: an activity or child is cancelled, a wait or dequeue stops counting. Does
   * nothing once it is complete.
   */
  void cancel();
}
