package io.duroxide.management;

import io.duroxide.provider.DeleteResult;
import java.util.Objects;

/**
 * What came of a clean-up.
 *
 * @param deleted what was deleted
 * @param running orphans that run, and so were not deleted
 * @param cancelsRequested those that were asked to stop
 */
public record CleanedOrphans(DeleteResult deleted, long running, long cancelsRequested) {
  public CleanedOrphans {
    Objects.requireNonNull(deleted, "deleted");
  }
}
