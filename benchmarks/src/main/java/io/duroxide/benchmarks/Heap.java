package io.duroxide.benchmarks;

/** The heap in use. */
public final class Heap {
  private static final int COLLECTIONS = 5;

  private Heap() {}

  /** Bytes that are still in use after several collections. */
  public static long used() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(100);
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
