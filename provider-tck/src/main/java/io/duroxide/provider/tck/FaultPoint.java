package io.duroxide.provider.tck;

/**
 * When an armed fault strikes the next operation.
 *
 * @param phase the part of the operation
 * @param statement with {@link Phase#STATEMENT}: how many statements of the operation succeed
 */
public record FaultPoint(Phase phase, int statement) {
  /** Parts of an operation. */
  public enum Phase {
    /** Nothing has reached the store. */
    BEFORE,
    /** Some statements were executed, nothing is committed. */
    STATEMENT,
    /** Everything is committed, the answer is on its way. */
    AFTER_COMMIT
  }

  public static final FaultPoint BEFORE = new FaultPoint(Phase.BEFORE, 0);
  public static final FaultPoint AFTER_COMMIT = new FaultPoint(Phase.AFTER_COMMIT, 0);

  /** After {@code count} statements; an operation with fewer is not struck. */
  public static FaultPoint afterStatements(int count) {
    return new FaultPoint(Phase.STATEMENT, count);
  }
}
