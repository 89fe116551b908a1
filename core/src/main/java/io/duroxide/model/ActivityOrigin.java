package io.duroxide.model;

import java.util.Objects;

/**
 * The orchestration that scheduled an activity.
 *
 * @param orchestration its name
 * @param version its version
 */
public record ActivityOrigin(String orchestration, String version) {
  /** What older work items, which do not carry it, read as. */
  public static final ActivityOrigin UNKNOWN = new ActivityOrigin("unknown", "unknown");

  public ActivityOrigin {
    Objects.requireNonNull(orchestration, "orchestration");
    Objects.requireNonNull(version, "version");
  }
}
