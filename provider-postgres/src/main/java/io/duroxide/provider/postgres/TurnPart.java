package io.duroxide.provider.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Something that a turn has several of.
 *
 * @param turn the position of the turn in its batch, from 1 on
 */
record TurnPart<T>(int turn, NewTurn of, T value) {

  /** What all turns of a batch have, one after the other. */
  static <N extends NewTurn, T> List<TurnPart<T>> of(List<N> turns, Function<N, List<T>> having) {
    List<TurnPart<T>> parts = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      N turn = turns.get(i);
      for (T value : having.apply(turn)) {
        parts.add(new TurnPart<>(i + 1, turn, value));
      }
    }
    return parts;
  }
}
