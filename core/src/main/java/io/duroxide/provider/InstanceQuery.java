package io.duroxide.provider;

import io.duroxide.model.ExecutionStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which instances to list; all criteria must hold.
 *
 * @param statuses statuses to include; empty includes all
 * @param namePrefix how the orchestration's name begins
 * @param idPrefix how the instance id begins
 * @param after the cursor of the previous page; null for the first
 * @param limit rows per page, at least 1
 */
public record InstanceQuery(
    Set<ExecutionStatus> statuses,
    @Nullable String namePrefix,
    @Nullable String idPrefix,
    @Nullable String after,
    int limit) {
  public InstanceQuery {
    statuses = Set.copyOf(statuses);
    if (limit < 1) {
      throw new IllegalArgumentException("a page holds at least 1 row, not " + limit);
    }
  }

  /** The first page of everything. */
  public static InstanceQuery firstPage(int limit) {
    return new InstanceQuery(Set.of(), null, null, null, limit);
  }

  public InstanceQuery after(@Nullable String cursor) {
    return new InstanceQuery(statuses, namePrefix, idPrefix, cursor, limit);
  }
}
