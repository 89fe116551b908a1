package io.duroxide.provider.postgres;

/**
 * This process among those that share the store.
 *
 * @param id tells its commits from those of others
 */
record Node(long id, StoreClock clock, Tokens tokens) {

  static Node create(StoreClock clock, Tokens tokens) {
    // 0 stands for nobody.
    return new Node(tokens.secret().getMostSignificantBits() | 1, clock, tokens);
  }
}
