package io.duroxide.replay;

/**
 * Ends code that is no longer wanted: a losing branch, an evicted execution, the lines behind a
 * continue-as-new. An error without stack, so that {@code catch (Exception)} does not see it.
 */
final class Unwind extends Error {
  private static final long serialVersionUID = 1L;

  Unwind() {
    super("orchestration code is being unwound", null, false, false);
  }
}
