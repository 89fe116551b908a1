package io.duroxide.provider;

import io.duroxide.provider.ProviderException.Kind;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Work that a thread of a pool does for a caller who waits for it. Thread-safe.
 *
 * @param <T> what is answered
 */
public final class PooledCall<T> implements Runnable {
  private final String operation;
  private final Callable<T> work;
  private final Runnable look;
  private final Answer<T> answer = new Answer<>();
  private volatile @Nullable Thread runner;

  public PooledCall(String operation, Callable<T> work) {
    this(operation, work, () -> {});
  }

  /**
   * As {@link #PooledCall(String, Callable)}.
   *
   * @param look done by the caller once a second while it waits
   */
  public PooledCall(String operation, Callable<T> work, Runnable look) {
    this.operation = operation;
    this.work = work;
    this.look = look;
  }

  /**
   * Has the work done and waits for it; an interrupt is kept for later.
   *
   * @param told what the caller is told of a failure
   */
  public T on(
      ThreadPoolExecutor pool, WaitingCallers callers, Function<Throwable, RuntimeException> told) {
    pool.execute(this);
    return answer.await(callers, new Promise(pool, told));
  }

  @Override
  public void run() {
    runner = Thread.currentThread();
    try {
      answer.succeed(work.call());
    } catch (Throwable failure) {
      answer.fail(failure);
    } finally {
      answer.publish();
    }
  }

  /** What the caller may expect of the pool. */
  private final class Promise implements Answer.Source {
    private final ThreadPoolExecutor pool;
    private final Function<Throwable, RuntimeException> told;

    Promise(ThreadPoolExecutor pool, Function<Throwable, RuntimeException> told) {
      this.pool = pool;
      this.told = told;
    }

    /** A pool that could not replace a thread is helped to do so. */
    @Override
    public Optional<RuntimeException> end() {
      look.run();
      Thread begun = runner;
      if (begun == null) {
        pool.prestartCoreThread();
        return Optional.empty();
      }
      return begun.isAlive()
          ? Optional.empty()
          : Optional.of(
              new ProviderException(
                  Kind.UNAVAILABLE, operation, "the thread that worked has ended; try again"));
    }

    @Override
    public RuntimeException told(Throwable failure) {
      return told.apply(failure);
    }
  }
}
