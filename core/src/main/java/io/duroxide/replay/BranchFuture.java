package io.duroxide.replay;

import io.duroxide.api.Branch;
import io.duroxide.api.OrchestrationContext;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Code that runs beside the code that started it. */
final class BranchFuture<T> extends ReplayFuture<T> {
  private final Coroutine coroutine;
  private final Coroutine owner;
  private @Nullable T value;
  private @Nullable Throwable failure;
  private boolean settled;
  private long settledBy;
  private boolean observed;

  BranchFuture(
      Conductor conductor, Branch<T> branch, OrchestrationContext context, Coroutine owner) {
    super(conductor);
    this.owner = owner;
    this.coroutine = new Coroutine(owner.thread().getName(), () -> run(branch, context));
    owner.own(this);
  }

  Coroutine coroutine() {
    return coroutine;
  }

  private void run(Branch<T> branch, OrchestrationContext context) {
    T result = null;
    Throwable thrown = null;
    try {
      result = branch.run(context);
    } catch (Unwind e) {
      thrown = e;
    } catch (RuntimeException | Error e) {
      thrown = e;
    } catch (Exception e) {
      thrown = new CompletionException(e);
    }
    if (!coroutine.unwinding()) {
      settle(result, thrown);
    }
  }

  private void settle(@Nullable T result, @Nullable Throwable thrown) {
    settled = true;
    settledBy = conductor().position();
    value = result;
    failure = thrown;
    owner.disown(this);
    conductor().branchEnded(this);
    notifyWaitersFirst();
  }

  /** The exception that ended it and that nobody saw, if it was not a deliberate failure. */
  @Nullable Throwable unobservedFailure() {
    return observed ? null : failure;
  }

  @Override
  boolean ready() {
    return settled;
  }

  @Override
  long readySince() {
    return settledBy;
  }

  @Override
  @SuppressWarnings("NullAway") // a branch may return null
  T take() {
    observed = true;
    switch (failure) {
      case null -> {
        return value;
      }
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new CompletionException(e);
    }
  }

  @Override
  void abandon() {
    if (!settled) {
      giveUp();
      conductor().discard(this);
    }
  }

  /** From now on it has no result; its code has yet to be ended. */
  void giveUp() {
    settled = true;
    settledBy = conductor().position();
    observed = true;
    failure = new CancellationException("the branch was given up and has no result");
    owner.disown(this);
    notifyWaitersFirst();
  }
}
