package io.duroxide.provider;

/** A way to a commit that is shorter than the one by the queues. */
public enum ShortCut {
  /** An instance is stored with its first turn: {@link TurnSource.NewInstance}. */
  START,
  /** The outcome of an activity is stored with its turn: {@link TurnSource.AfterActivity}. */
  STEP
}
