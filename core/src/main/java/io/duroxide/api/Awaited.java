package io.duroxide.api;

/** What became of a wait that was limited in time. */
public sealed interface Awaited<T> {

  /** The result came in time. */
  record Got<T>(T value) implements Awaited<T> {}

  /** It did not; the future was given up. */
  record TimedOut<T>() implements Awaited<T> {}
}
