package io.duroxide.cli;

import io.duroxide.provider.InstanceFilter;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which instances are meant: either those named, or those that match the options. */
final class Choice {
  @Mixin private final Selectors selectors = new Selectors();

  @Parameters(paramLabel = "INSTANCE", arity = "0..*", description = "Ids.")
  private List<String> ids = List.of();

  /**
   * Refuses both, and neither.
   *
   * @param all whether it was said that all are meant
   */
  void check(boolean all, String howToSay) {
    boolean matching = all || !selectors.isEmpty();
    if (ids.isEmpty() != matching) {
      throw new Stop(Exit.USAGE, howToSay);
    }
  }

  boolean isNamed() {
    return !ids.isEmpty();
  }

  /** The named ones, each once; all of them exist. */
  List<String> named(Desk desk) {
    return ids.stream().map(id -> desk.instance(id).instance()).distinct().toList();
  }

  InstanceFilter filter(Instant now) {
    return selectors.filter(now);
  }
}
