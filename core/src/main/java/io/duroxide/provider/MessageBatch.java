package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The visible messages of an instance in queue order.
 *
 * @param items those that could be decoded
 * @param error why some could not; those stay in the batch
 */
public record MessageBatch(List<WorkItem> items, @Nullable String error) {
  public MessageBatch {
    items = List.copyOf(items);
  }
}
