package io.duroxide.api;

/**
 * The winner of a select over any number of operands.
 *
 * @param index its place among the operands, from 0
 * @param outcome how it ended; a failure can win
 */
public record Selected<T>(int index, Outcome<T> outcome) {
  /** The winner's result; throws its failure. */
  public T value() {
    return outcome.value();
  }
}
