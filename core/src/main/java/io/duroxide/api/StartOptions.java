package io.duroxide.api;

import io.duroxide.model.Semver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a child is started.
 *
 * @param version the exact version to run; null lets the registry choose
 * @param instanceId the child's id as given; null for a generated one
 */
public record StartOptions(@Nullable String version, @Nullable String instanceId) {
  private static final StartOptions NONE = new StartOptions(null, null);

  public StartOptions {
    if (version != null) {
      Semver.parse(version);
    }
  }

  /** Version by policy, generated id. */
  public static StartOptions defaults() {
    return NONE;
  }

  /** Exactly this version. */
  public static StartOptions version(String version) {
    return new StartOptions(Objects.requireNonNull(version, "version"), null);
  }

  /** Exactly this id. */
  public static StartOptions instanceId(String instanceId) {
    return new StartOptions(null, Objects.requireNonNull(instanceId, "instanceId"));
  }

  public StartOptions withVersion(String newVersion) {
    return new StartOptions(newVersion, instanceId);
  }
}
