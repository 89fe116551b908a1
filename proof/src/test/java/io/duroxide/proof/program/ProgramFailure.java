package io.duroxide.proof.program;

import io.duroxide.api.OrchestrationFailure;

/** A failure that callers tell apart, with something in it. */
public final class ProgramFailure extends OrchestrationFailure {
  private static final long serialVersionUID = 1L;

  ProgramFailure(String message) {
    super(message, new Amount(message.length()));
  }

  /** What is thrown where a program says so. */
  static RuntimeException of(Failing failing, String text) {
    return switch (failing) {
      case DELIBERATE -> new OrchestrationFailure(text);
      case TYPED -> new ProgramFailure(text);
      case PANIC -> new IllegalStateException(text);
    };
  }
}
