package io.duroxide.e2e;

import java.util.List;

/** How turns get at the state of the code. */
enum Mode {
  /** Waiting executions stay in memory. */
  KEPT(1_000),
  /** Every turn replays the history. */
  REPLAYED(0);

  private final int cachedExecutions;

  Mode(int cachedExecutions) {
    this.cachedExecutions = cachedExecutions;
  }

  /** The one that the system property {@code e2e.mode} names; all, if it names none. */
  static List<Mode> chosen() {
    String name = System.getProperty("e2e.mode", "");
    return name.isEmpty() ? List.of(values()) : List.of(valueOf(name));
  }

  int cachedExecutions() {
    return cachedExecutions;
  }
}
