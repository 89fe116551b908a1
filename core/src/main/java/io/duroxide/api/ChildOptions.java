package io.duroxide.api;

import io.duroxide.model.Semver;
import io.duroxide.model.TextLimit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a child is started.
 *
 * @param version the exact version to run, without its build label; null lets the registry choose
 * @param instanceId the child's id as given, not empty; null for a generated one
 */
public record ChildOptions(@Nullable String version, @Nullable String instanceId) {
  private static final ChildOptions NONE = new ChildOptions(null, null);

  public ChildOptions {
    version = version == null ? null : Semver.parse(TextLimit.VERSION.check(version)).toString();
    if (instanceId != null) {
      TextLimit.INSTANCE_ID.check(instanceId);
    }
  }

  /** Version by policy, generated id. */
  public static ChildOptions defaults() {
    return NONE;
  }

  /** Exactly this version. */
  public static ChildOptions version(String version) {
    return new ChildOptions(Objects.requireNonNull(version, "version"), null);
  }

  /** Exactly this id. */
  public static ChildOptions instanceId(String instanceId) {
    return new ChildOptions(null, Objects.requireNonNull(instanceId, "instanceId"));
  }

  public ChildOptions withVersion(String newVersion) {
    return new ChildOptions(newVersion, instanceId);
  }
}
