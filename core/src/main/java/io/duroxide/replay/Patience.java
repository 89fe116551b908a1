package io.duroxide.replay;

/** How long the caller of a turn waits for its code; asked now and then while the code computes. */
@FunctionalInterface
public interface Patience {
  /** Waits for as long as the code takes. */
  Patience ENDLESS = () -> false;

  /** Whether the caller leaves now. */
  boolean isOver();
}
