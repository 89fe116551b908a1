package io.duroxide.replay;

import io.duroxide.api.Awaited;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Outcome;
import io.duroxide.api.Selected;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A future of the engine: who waits for it, and what observing it gives. */
abstract class ReplayFuture<T> implements DurableFuture<T> {
  private final Conductor conductor;
  private @Nullable Coroutine waiter;
  private @Nullable List<Coroutine> moreWaiters;

  ReplayFuture(Conductor conductor) {
    this.conductor = conductor;
  }

  final Conductor conductor() {
    return conductor;
  }

  /** Whether observing it gives something now. */
  abstract boolean ready();

  /** The id of the event that made it ready. Only when ready. */
  abstract long readySince();

  /** Observes the result: returns it or throws the failure. Only when ready. */
  abstract T take();

  /** Stops caring; a durable decision if it is pending. */
  abstract void abandon();

  @Override
  public final T await() {
    conductor.await(this);
    return take();
  }

  @Override
  public final Awaited<T> await(Duration timeout) {
    DurableFuture<Instant> timer = conductor.timer(timeout);
    Selected<Object> winner = conductor.select(List.of(this, (ReplayFuture<?>) timer));
    if (winner.index() == 1) {
      return new Awaited.TimedOut<>();
    }
    return new Awaited.Got<>(take());
  }

  @Override
  public final boolean isDone() {
    return ready();
  }

  @Override
  public final <R> DurableFuture<R> map(Function<? super T, ? extends R> transformation) {
    return new MappedFuture<>(this, transformation);
  }

  @Override
  public final void cancel() {
    if (conductor.live()) {
      abandon();
    }
  }

  /** The result of an observation as a value. */
  final Outcome<T> outcome() {
    try {
      return new Outcome.Success<>(take());
    } catch (RuntimeException e) {
      return new Outcome.Failure<>(e);
    }
  }

  void addWaiter(Coroutine coroutine) {
    if (waiter == null) {
      waiter = coroutine;
      return;
    }
    if (moreWaiters == null) {
      moreWaiters = new ArrayList<>(2);
    }
    moreWaiters.add(coroutine);
  }

  void removeWaiter(Coroutine coroutine) {
    if (waiter == coroutine) {
      waiter = moreWaiters == null || moreWaiters.isEmpty() ? null : moreWaiters.removeFirst();
    } else if (moreWaiters != null) {
      moreWaiters.remove(coroutine);
    }
  }

  /** Tells those who wait that it became ready, in the order in which they began to wait. */
  final void notifyWaiters() {
    Coroutine first = waiter;
    if (first == null) {
      return;
    }
    conductor.makeReady(first);
    if (moreWaiters != null) {
      moreWaiters.forEach(conductor::makeReady);
    }
  }

  /** Tells those who wait, ahead of everything else that is ready. */
  final void notifyWaitersFirst() {
    if (moreWaiters != null) {
      moreWaiters.reversed().forEach(conductor::makeReadyFirst);
    }
    Coroutine first = waiter;
    if (first != null) {
      conductor.makeReadyFirst(first);
    }
  }
}
