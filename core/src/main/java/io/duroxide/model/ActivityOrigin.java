package io.duroxide.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The orchestration that scheduled an activity.
 *
 * @param orchestration its name
 * @param version its version
 * @param at when it did, in whole milliseconds; null if that is not known
 */
public record ActivityOrigin(String orchestration, String version, @Nullable Instant at) {
  /** What older work items, which do not carry it, read as. */
  public static final ActivityOrigin UNKNOWN = new ActivityOrigin("unknown", "unknown");

  public ActivityOrigin {
    Objects.requireNonNull(orchestration, "orchestration");
    Objects.requireNonNull(version, "version");
  }

  /** At a time that is not known. */
  public ActivityOrigin(String orchestration, String version) {
    this(orchestration, version, null);
  }
}
