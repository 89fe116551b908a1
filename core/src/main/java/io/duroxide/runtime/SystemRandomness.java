package io.duroxide.runtime;

import java.util.UUID;

/** The only place of the runtime that asks for chance. */
final class SystemRandomness {
  private SystemRandomness() {}

  static UUID guid() {
    return UUID.randomUUID();
  }
}
