package io.duroxide.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a listing.
 *
 * @param next the cursor of the next page; null when this is the last
 */
public record InstancePage(List<InstanceInfo> rows, @Nullable String next) {
  public InstancePage {
    rows = List.copyOf(rows);
  }
}
