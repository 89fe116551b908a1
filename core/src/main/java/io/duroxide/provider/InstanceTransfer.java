package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes whole instances out of a store and puts them into another.
 *
 * <p>Reading locks nothing and changes nothing. What is written is free, whoever held it in the
 * store it came from: locks and session leases are not carried over, attempts are. Implementations
 * are thread-safe.
 */
public interface InstanceTransfer {

  /**
   * Up to {@code limit} ids behind {@code after}, in an order of the store's own that does not
   * change. Also those under which only messages or activities wait for a start.
   *
   * @param after the last id of the previous page; null for the first
   */
  List<String> listIds(@Nullable String after, int limit);

  /**
   * Everything under an id but the events; empty if there is nothing. Fails with {@code
   * CORRUPT_DATA} if something that is queued cannot be decoded.
   */
  Optional<InstanceSnapshot> readInstance(String instance);

  /**
   * Up to {@code limit} events with larger ids than {@code after}, in order, as they are stored;
   * empty for an unknown execution.
   */
  List<EventRow> readEvents(ExecutionKey execution, long after, int limit);

  /**
   * Stores an instance with its events, all or nothing. Queue positions are kept where they are
   * free, and what is queued later stands behind them.
   *
   * @param events the events of the store it came from; asked from any thread, and once more from
   *     the beginning if the attempt to write was undone
   * @return false, and nothing was changed, if there is anything under its id
   */
  boolean writeInstance(InstanceSnapshot instance, EventSource events);

  /** Where events come from: {@link #readEvents} of the other store. */
  @FunctionalInterface
  interface EventSource {
    List<EventRow> readEvents(ExecutionKey execution, long after, int limit);
  }
}
