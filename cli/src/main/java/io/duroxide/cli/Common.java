package io.duroxide.cli;

import io.duroxide.provider.Provider;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What all commands on a store share. */
final class Common {
  @Option(
      names = {"-s", "--store"},
      paramLabel = "ADDRESS",
      defaultValue = "${env:DUROXIDE_STORE}",
      description =
          "SQLite file or postgresql:// address of the store (or the variable DUROXIDE_STORE).")
  private @Nullable String store;

  @Option(names = "--json", description = "Answer in JSON, for scripts.")
  private boolean json;

  private final Terminal terminal;

  Common(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Opens the store, which must exist, for one piece of work. */
  int onStore(Function<Desk, Exit> work) {
    return onStore(false, work);
  }

  /** As {@link #onStore(Function)}; a missing file may be made. */
  int onStore(boolean create, Function<Desk, Exit> work) {
    if (store == null || store.isEmpty()) {
      throw new Stop(
          Exit.USAGE, "no store given; name one with --store or in the variable DUROXIDE_STORE");
    }
    try (Provider provider = Stores.open(store, create)) {
      return work.apply(Desk.of(provider, terminal, json)).code();
    } finally {
      terminal.out().flush();
    }
  }
}
