package io.duroxide.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Gives up, when closed, every future it owns that is still pending.
 *
 * <pre>{@code
 * try (var scope = ctx.cancellationScope()) {
 *   var slow = scope.own(ctx.call(SLOW, x));
 *   ...
 * }
 * }</pre>
 */
public final class CancellationScope implements AutoCloseable {
  private final List<DurableFuture<?>> owned = new ArrayList<>();

  CancellationScope() {}

  /** Adds a future to the scope and returns it. */
  public <T> DurableFuture<T> own(DurableFuture<T> future) {
    owned.add(Objects.requireNonNull(future, "future"));
    return future;
  }

  @Override
  public void close() {
    owned.forEach(DurableFuture::cancel);
    owned.clear();
  }
}
