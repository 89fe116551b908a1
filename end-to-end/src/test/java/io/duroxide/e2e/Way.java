package io.duroxide.e2e;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** How what clients start comes to its first turn. */
enum Way {
  /** Each start is queued and fetched. */
  QUEUES,
  /** Nodes begin what is started in their process, and store it with its first turn. */
  SHORT_CUTS;

  /** Every chosen mode by the queues, and what is kept in memory by short cuts too. */
  static List<Arguments> withModes() {
    List<Mode> modes = Mode.chosen();
    return Stream.concat(
            modes.stream().map(mode -> Arguments.of(mode, QUEUES)),
            modes.stream()
                .filter(mode -> mode == Mode.KEPT)
                .map(mode -> Arguments.of(mode, SHORT_CUTS)))
        .toList();
  }

  /** Has the faults let starts pass this way. */
  void through(Faults faults) {
    if (this == SHORT_CUTS) {
      faults.beginStarts();
    }
  }
}
