package io.duroxide.api;

import io.duroxide.model.Semver;
import org.jspecify.annotations.Nullable;

/**
 * How an orchestration continues as new.
 *
 * @param version the exact version of the next execution; null lets the registry choose
 */
public record ContinueOptions(@Nullable String version) {
  private static final ContinueOptions NONE = new ContinueOptions(null);

  public ContinueOptions {
    if (version != null) {
      Semver.parse(version);
    }
  }

  /** Version by policy. */
  public static ContinueOptions defaults() {
    return NONE;
  }

  /** Exactly this version. */
  public static ContinueOptions version(String version) {
    return new ContinueOptions(version);
  }
}
