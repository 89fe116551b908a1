package io.duroxide.provider;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of a store answers to a caller that waits for it. To answer makes no object, so
 * that an answer comes even when memory is short. Thread-safe.
 *
 * @param <T> what is answered; null is the answer of what has none
 */
public final class Answer<T extends @Nullable Object> {
  private @Nullable T result;
  private @Nullable Throwable failure;
  private boolean settled;
  private volatile boolean given;
  private volatile @Nullable Thread caller;

  /** Nothing is known yet. */
  public Answer() {}

  /** Who has to answer, as its caller sees it. */
  public interface Source {
    /** Why no answer will come; asked once a second while the caller waits. */
    Optional<RuntimeException> end();

    /** What the caller is told of a failure. */
    RuntimeException told(Throwable failure);
  }

  /** It will be this, unless another is put in its place. */
  public void succeed(T value) {
    result = value;
    failure = null;
  }

  /** It will be this failure, unless another answer is put in its place. */
  public void fail(Throwable cause) {
    failure = cause;
  }

  /** What was put last stands, as its transaction is over. */
  public void settle() {
    settled = true;
  }

  /** It is this failure, unless the transaction was over already, or it was handed out. */
  public void failUnlessSettled(Throwable cause) {
    if (!settled && !given) {
      failure = cause;
      settled = true;
    }
  }

  /** Hands it to the caller. */
  public void publish() {
    given = true;
    LockSupport.unpark(caller);
  }

  boolean isGiven() {
    return given;
  }

  /** Waits for it among other callers; an interrupt is kept for later. */
  public T await(WaitingCallers callers, Source source) {
    caller = Thread.currentThread();
    boolean interrupted = false;
    while (!given) {
      callers.park(this);
      interrupted |= Thread.interrupted();
      if (!given) {
        lookAt(source, interrupted);
      }
    }
    keep(interrupted);
    return read(source);
  }

  private void lookAt(Source source, boolean interrupted) {
    Optional<RuntimeException> end = source.end();
    if (end.isPresent() && !given) {
      keep(interrupted);
      throw end.get();
    }
  }

  private static void keep(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("NullAway") // What has no answer answers null.
  private T read(Source source) {
    if (failure != null) {
      throw source.told(failure);
    }
    return result;
  }
}
