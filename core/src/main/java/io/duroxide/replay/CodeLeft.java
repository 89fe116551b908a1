package io.duroxide.replay;

/**
 * The caller's patience was over before the code was. The code goes on beside it and has no effect
 * any more; {@link Execution#awaitCode} waits for its end.
 */
public final class CodeLeft extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CodeLeft(String message) {
    super(message, null, false, false);
  }
}
