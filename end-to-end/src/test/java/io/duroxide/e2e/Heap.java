package io.duroxide.e2e;

import java.lang.management.ManagementFactory;

/** What is in use after a collection. */
final class Heap {
  private Heap() {}

  static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
