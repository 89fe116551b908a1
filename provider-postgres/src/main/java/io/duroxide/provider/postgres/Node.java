package io.duroxide.provider.postgres;

import java.util.concurrent.atomic.AtomicLong;

/**
 * This process among those that share the store.
 *
 * @param id tells its commits from those of others
 * @param dropped counts the messages that reached nobody
 */
record Node(long id, StoreClock clock, Tokens tokens, AtomicLong dropped) {

  static Node create(StoreClock clock, Tokens tokens) {
    // 0 stands for nobody.
    return new Node(tokens.secret().getMostSignificantBits() | 1, clock, tokens, new AtomicLong());
  }
}
