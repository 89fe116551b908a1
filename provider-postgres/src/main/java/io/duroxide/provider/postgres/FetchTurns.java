package io.duroxide.provider.postgres;

import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrphanQueuePolicy;
import org.jspecify.annotations.Nullable;

/** A fetch of instances. */
final class FetchTurns extends Command<Look<RawTurn>> {
  static final String OPERATION = "fetchOrchestrationItem";

  /** One statement locks no more than this. */
  private static final int MOST = 256;

  private final Shape shape;
  private final int max;

  /**
   * What fetches must have in common to be done as one.
   *
   * @param keeps whether the node keeps executions, so that histories may be left out
   * @param holds whether queue messages for instances that nobody knows are kept
   * @param asks whether it waits if there is nothing
   */
  record Shape(
      long lock,
      @Nullable DispatcherCapabilityFilter filter,
      boolean keeps,
      boolean holds,
      boolean asks) {}

  FetchTurns(OrchestrationFetch request, int max) {
    super(OPERATION);
    this.shape =
        new Shape(
            Millis.of(request.lockTimeout()),
            request.filter(),
            !request.cached().equals(CachedHistory.NONE),
            request.orphans() == OrphanQueuePolicy.HOLD,
            request.pollTimeout().isPositive());
    this.max = Math.min(max, MOST);
  }

  Shape shape() {
    return shape;
  }

  int max() {
    return max;
  }
}
