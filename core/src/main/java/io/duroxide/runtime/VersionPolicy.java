package io.duroxide.runtime;

import io.duroxide.model.Semver;
import java.util.Objects;

/** Which version runs when a start names none. */
public sealed interface VersionPolicy {
  VersionPolicy LATEST = new Latest();

  static VersionPolicy exact(String version) {
    return new Exact(Semver.parse(version));
  }

  /** The highest registered version. */
  record Latest() implements VersionPolicy {}

  /** This version, or none if it is not registered. */
  record Exact(Semver version) implements VersionPolicy {
    public Exact {
      Objects.requireNonNull(version, "version");
    }
  }
}
