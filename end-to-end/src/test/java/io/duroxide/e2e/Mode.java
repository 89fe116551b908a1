package io.duroxide.e2e;

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

  int cachedExecutions() {
    return cachedExecutions;
  }
}
