package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random choices that follow from a seed alone. */
final class Dice {
  private final Random random;

  Dice(long seed) {
    this.random = new Random(seed);
  }

  /** Independent of other numbers of the same seed. */
  static Dice of(long seed, int number) {
    return new Dice((seed * 0x9E3779B97F4A7C15L) ^ (number * 0xC2B2AE3D27D4EB4FL));
  }

  /** From 0 to {@code bound - 1}. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  int between(int from, int to) {
    return from + random.nextInt(to - from + 1);
  }

  /** True once in so many times. */
  boolean once(int times) {
    return random.nextInt(times) == 0;
  }

  boolean coin() {
    return random.nextBoolean();
  }

  <T> T of(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  <E extends Enum<E>> E of(Class<E> all) {
    return of(List.of(all.getEnumConstants()));
  }

  /** From 0 to 1, small ones more often. */
  double small() {
    double number = random.nextDouble();
    return number * number;
  }

  <T> List<T> shuffled(List<T> all) {
    List<T> rest = new ArrayList<>(all);
    List<T> mixed = new ArrayList<>();
    while (!rest.isEmpty()) {
      mixed.add(rest.remove(random.nextInt(rest.size())));
    }
    return mixed;
  }
}
