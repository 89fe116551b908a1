package io.duroxide.cli;

import picocli.CommandLine.Option;

/** The yes that commands want before they do what cannot be undone. */
final class Consent {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  /** Goes on with a yes alone: from the command line, or from the person at the terminal. */
  void require(Terminal terminal, String deed) {
    if (yes) {
      return;
    }
    if (!terminal.interactive()) {
      throw new Stop(Exit.REFUSED, deed + ": add --yes if that is wanted");
    }
    if (!terminal.confirms(deed + "?")) {
      throw new Stop(Exit.REFUSED, "nothing was done");
    }
  }
}
