package io.duroxide.provider;

import java.util.List;

/**
 * Whether a store can do its work, from what it remembers.
 *
 * @param threads how many threads the store needs
 * @param alive how many of them are alive
 * @param failures why the store cannot do its work until it is opened anew, each a sentence for
 *     people; empty while it can
 */
public record StoreHealth(int threads, int alive, List<String> failures) {
  /** Of a store that has no threads of its own and cannot break. */
  public static final StoreHealth SOUND = new StoreHealth(0, 0, List.of());

  public StoreHealth {
    failures = List.copyOf(failures);
  }
}
