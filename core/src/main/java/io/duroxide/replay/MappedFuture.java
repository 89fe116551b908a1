package io.duroxide.replay;

import io.duroxide.api.Outcome;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A view of another future; the transformation runs once, when the result is first observed. */
final class MappedFuture<S, T> extends ReplayFuture<T> {
  private final ReplayFuture<S> source;
  private final Function<? super S, ? extends T> transformation;
  private @Nullable Outcome<T> observed;

  MappedFuture(ReplayFuture<S> source, Function<? super S, ? extends T> transformation) {
    super(source.conductor());
    this.source = source;
    this.transformation = transformation;
  }

  @Override
  boolean ready() {
    return observed != null || source.ready();
  }

  @Override
  long readySince() {
    return source.readySince();
  }

  @Override
  T take() {
    Outcome<T> result = observed;
    if (result == null) {
      S value = source.take();
      result = transform(value);
      observed = result;
    }
    return result.value();
  }

  private Outcome<T> transform(S value) {
    try {
      return new Outcome.Success<>(transformation.apply(value));
    } catch (RuntimeException e) {
      return new Outcome.Failure<>(e);
    }
  }

  @Override
  void abandon() {
    source.abandon();
  }

  @Override
  void addWaiter(Coroutine coroutine) {
    source.addWaiter(coroutine);
  }

  @Override
  void removeWaiter(Coroutine coroutine) {
    source.removeWaiter(coroutine);
  }
}
