package io.duroxide.cli;

/** How a command ends, as scripts see it. */
enum Exit {
  OK(0),
  /** Unknown instance, or what was waited for failed or did not come, or a copy differs. */
  FAILED(1),
  /** The command line makes no sense. */
  USAGE(2),
  /** The store cannot be opened or does not answer. */
  UNREACHABLE(3),
  /** Not done: it wants a yes, or the state of the instance or store forbids it. */
  REFUSED(4);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
