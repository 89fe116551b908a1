package io.duroxide.proof.program;

/** Which exception is thrown. */
public enum Failing {
  /** An {@code OrchestrationFailure}. */
  DELIBERATE,
  /** A class of its own, with a payload. */
  TYPED,
  /** An exception that is no failure of the library. */
  PANIC
}
