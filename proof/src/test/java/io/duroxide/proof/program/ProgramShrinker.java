package io.duroxide.proof.program;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * Leaves out parts of a program as long as it still fails. Candidates of which the model cannot say
 * how they end are not tried.
 */
public final class ProgramShrinker {
  private static final int MOST_TRIALS = 5_000;

  private final Predicate<Program> fails;
  private int trials;

  /**
   * A shrinker.
   *
   * @param fails whether a program still fails; may run it several times
   */
  public ProgramShrinker(Predicate<Program> fails) {
    this.fails = fails;
  }

  /** A smaller program that fails, or the same one. */
  public Program shrink(Program failing) {
    Program best = failing;
    Optional<Program> smaller = next(best);
    while (smaller.isPresent()) {
      best = smaller.get();
      smaller = next(best);
    }
    return best;
  }

  private Optional<Program> next(Program program) {
    for (Program candidate : SmallerPrograms.of(program)) {
      if (trials < MOST_TRIALS && isDetermined(candidate)) {
        trials++;
        if (fails.test(candidate)) {
          return Optional.of(candidate);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isDetermined(Program program) {
    try {
      return ProgramModel.outline(program, "shrunk").instances().values().stream()
          .noneMatch(instance -> instance.ending() instanceof Ending.Open);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
