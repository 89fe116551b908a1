package io.duroxide.e2e;

import io.duroxide.provider.QueueDepths;

/** Waits until nothing is left to do; timers do not count. */
final class Quiet {
  private Quiet() {}

  static void await(World world) {
    world.until(() -> reigns(world));
  }

  /** Whether nothing is left to do now. */
  static boolean reigns(World world) {
    QueueDepths depths = world.store().management().orElseThrow().queueDepths();
    return depths.orchestrator().ready()
            + depths.orchestrator().locked()
            + depths.worker().ready()
            + depths.worker().locked()
        == 0;
  }
}
