package io.duroxide.provider;

import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.ProviderOperation.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a call and tells the listener how it went. Thread-safe. */
final class OperationRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(OperationRecorder.class);

  private final ProviderListener listener;
  private final LongSupplier nanos;

  OperationRecorder(ProviderListener listener, LongSupplier nanos) {
    this.listener = Objects.requireNonNull(listener, "listener");
    this.nanos = Objects.requireNonNull(nanos, "nanos");
  }

  /** A call to the store. */
  @FunctionalInterface
  interface Call<T, E extends Exception> {
    T make() throws E;
  }

  /** A fetch, told how long it may wait. */
  @FunctionalInterface
  interface Poll<T> {
    T within(Duration pollTimeout) throws InterruptedException;
  }

  void run(String operation, Runnable call) {
    answer(
        operation,
        answer -> 0,
        () -> {
          call.run();
          return true;
        });
  }

  /** A call that always has an answer. */
  <T, E extends Exception> T answer(String operation, ToIntFunction<T> rows, Call<T, E> call)
      throws E {
    long start = nanos.getAsLong();
    T answer = attempt(operation, start, call);
    tell(operation, since(start), Outcome.SUCCESS, rows.applyAsInt(answer));
    return answer;
  }

  /** A call that may find nothing. */
  <T, E extends Exception> T items(String operation, ToIntFunction<T> rows, Call<T, E> call)
      throws E {
    long start = nanos.getAsLong();
    T items = attempt(operation, start, call);
    tellFound(operation, since(start), rows.applyAsInt(items));
    return items;
  }

  /**
   * Tries without waiting, which is measured; only then waits. A store does not say how long it
   * waited, so what the second call finds is reported without a duration.
   */
  <T> T fetch(String operation, Duration pollTimeout, ToIntFunction<T> rows, Poll<T> poll)
      throws InterruptedException {
    if (!pollTimeout.isPositive()) {
      return items(operation, rows, () -> poll.within(pollTimeout));
    }
    long start = nanos.getAsLong();
    T atOnce = attempt(operation, start, () -> poll.within(Duration.ZERO));
    int found = rows.applyAsInt(atOnce);
    if (found > 0) {
      tellFound(operation, since(start), found);
      return atOnce;
    }
    T later = attempt(operation, null, () -> poll.within(pollTimeout));
    tellFound(operation, null, rows.applyAsInt(later));
    return later;
  }

  private <T, E extends Exception> T attempt(
      String operation, @Nullable Long start, Call<T, E> call) throws E {
    try {
      return call.make();
    } catch (Exception e) {
      Duration worked = start == null ? null : since(start);
      tell(operation, worked, new Outcome.Failure(kindOf(e)), 0);
      throw e;
    }
  }

  private void tellFound(String operation, @Nullable Duration worked, int rows) {
    tell(operation, worked, rows == 0 ? Outcome.EMPTY : Outcome.SUCCESS, rows);
  }

  /** The store has done its work by now: a listener that fails must not make it look undone. */
  private void tell(String operation, @Nullable Duration worked, Outcome outcome, int rows) {
    try {
      listener.onOperation(new ProviderOperation(operation, worked, outcome, rows));
    } catch (RuntimeException | Error e) {
      LOG.atWarn().addKeyValue("operation", operation).setCause(e).log("provider listener failed");
    }
  }

  private Duration since(long start) {
    return Duration.ofNanos(nanos.getAsLong() - start);
  }

  private static Kind kindOf(Exception failure) {
    return switch (failure) {
      case ProviderException known -> known.kind();
      case InterruptedException ignored -> Kind.TIMEOUT;
      default -> Kind.UNKNOWN;
    };
  }
}
