package io.duroxide.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orphans in no particular order, but the same in every listing.
 *
 * @param next the cursor of the next page; null when this is the last
 */
public record OrphanPage(List<Orphan> rows, @Nullable String next) {
  public OrphanPage {
    rows = List.copyOf(rows);
  }
}
