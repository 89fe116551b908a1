package io.duroxide.management;

import java.util.List;
import java.util.Objects;

/**
 * What came of a copy.
 *
 * @param copied how many instances were written
 * @param alreadyThere how many the target had before, as they are in the source
 * @param differences what the target does not have as the source has it
 */
public record CopyReport(long copied, long alreadyThere, List<Difference> differences) {
  public CopyReport {
    differences = List.copyOf(differences);
  }

  /** Whether the target has everything as the source has it. */
  public boolean isComplete() {
    return differences.isEmpty();
  }

  /** An instance that is not the same on both sides, and how. */
  public record Difference(String instance, String what) {
    public Difference {
      Objects.requireNonNull(instance, "instance");
      Objects.requireNonNull(what, "what");
    }
  }
}
