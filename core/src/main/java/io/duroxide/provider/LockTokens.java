package io.duroxide.provider;

import java.util.UUID;
import java.util.function.Supplier;

/** Where lock tokens come from; the only place of the storage rooms that asks for chance. */
public final class LockTokens {
  private LockTokens() {}

  /** Unguessable, never repeated. Thread-safe. */
  public static Supplier<String> random() {
    return () -> UUID.randomUUID().toString();
  }
}
