package io.duroxide.benchmarks.operations;

/** How large a benchmark is. */
final class Scale {
  private Scale() {}

  /** The number among the arguments, else the usual one. */
  static int of(String[] arguments, int usual) {
    for (String argument : arguments) {
      if (argument.chars().allMatch(Character::isDigit)) {
        return Integer.parseInt(argument);
      }
    }
    return usual;
  }
}
