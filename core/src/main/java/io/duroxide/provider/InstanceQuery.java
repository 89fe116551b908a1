package io.duroxide.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param filter which instances to list
 * @param after the cursor of the previous page; null for the first
 * @param limit rows per page, at least 1
 */
public record InstanceQuery(InstanceFilter filter, @Nullable String after, int limit) {
  public InstanceQuery {
    Objects.requireNonNull(filter, "filter");
    if (limit < 1) {
      throw new IllegalArgumentException("a page holds at least 1 row, not " + limit);
    }
  }

  /** The first page of everything. */
  public static InstanceQuery firstPage(int limit) {
    return firstPage(InstanceFilter.ALL, limit);
  }

  /** The first page of what passes the filter. */
  public static InstanceQuery firstPage(InstanceFilter filter, int limit) {
    return new InstanceQuery(filter, null, limit);
  }

  public InstanceQuery after(@Nullable String cursor) {
    return new InstanceQuery(filter, cursor, limit);
  }
}
