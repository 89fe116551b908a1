package io.duroxide.cli;

/** Ends a command with one line on the error output. */
final class Stop extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;

  Stop(Exit exit, String message) {
    super(message);
    this.exit = exit;
  }

  Exit exit() {
    return exit;
  }
}
