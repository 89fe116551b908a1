package io.duroxide.provider;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which instances a bulk operation touches; all criteria must hold, the limit comes last.
 *
 * @param instanceIds an allow-list; null for any, empty for none
 * @param completedBefore the current execution ended before this instant
 * @param limit at most this many
 */
public record InstanceFilter(
    @Nullable List<String> instanceIds, @Nullable Instant completedBefore, int limit) {
  public static final int DEFAULT_LIMIT = 1000;

  /** Every instance, up to the default limit. */
  public static final InstanceFilter ALL = new InstanceFilter(null, null, DEFAULT_LIMIT);

  public InstanceFilter {
    instanceIds = instanceIds == null ? null : List.copyOf(instanceIds);
  }

  public static InstanceFilter ids(List<String> ids) {
    return new InstanceFilter(ids, null, DEFAULT_LIMIT);
  }

  public static InstanceFilter completedBefore(Instant instant) {
    return new InstanceFilter(null, instant, DEFAULT_LIMIT);
  }

  public InstanceFilter withLimit(int newLimit) {
    return new InstanceFilter(instanceIds, completedBefore, newLimit);
  }
}
