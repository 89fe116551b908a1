package io.duroxide.runtime;

import io.duroxide.model.Semver;

/** The version of this framework; stamped on events and compared by the capability filter. */
public final class FrameworkVersion {
  /** What this build writes. */
  public static final Semver CURRENT = Semver.of(0, 1, 0);

  private FrameworkVersion() {}
}
