package io.duroxide.api;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Steps that are undone together: leaving without {@link #commit()} runs the undos, newest first.
 *
 * <p>Every undo runs even if an earlier one fails; the first failure is thrown at the end with the
 * others suppressed. A cancelled orchestration runs no undos: cancellation has no clean-up phase,
 * so undo in a parent that sees the child's cancellation.
 */
public final class Saga implements AutoCloseable {
  private final OrchestrationContext context;
  private final Deque<Branch<?>> undos = new ArrayDeque<>();

  Saga(OrchestrationContext context) {
    this.context = context;
  }

  /** Remembers to run an activity if the saga is not committed. */
  public <I> void undo(Activity<I, ?> activity, I input) {
    undo(branch -> branch.call(activity, input).await());
  }

  /** Remembers to run orchestration code if the saga is not committed. */
  public void undo(Branch<?> compensation) {
    undos.push(compensation);
  }

  /** Forgets the undos. */
  public void commit() {
    undos.clear();
  }

  @Override
  public void close() {
    RuntimeException first = null;
    while (!undos.isEmpty()) {
      first = firstOf(first, runOne(undos.pop()));
    }
    if (first != null) {
      throw first;
    }
  }

  private @Nullable RuntimeException runOne(Branch<?> compensation) {
    try {
      compensation.run(context);
      return null;
    } catch (RuntimeException e) {
      return e;
    } catch (Exception e) {
      return new IllegalStateException("an undo failed: " + e, e);
    }
  }

  private static @Nullable RuntimeException firstOf(
      @Nullable RuntimeException first, @Nullable RuntimeException next) {
    if (first == null) {
      return next;
    }
    if (next != null) {
      first.addSuppressed(next);
    }
    return first;
  }
}
