package io.duroxide.telemetry;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import java.util.Objects;

/**
 * A scheduled activity and who asked for it.
 *
 * @param activity the activity's name, {@code unknown} if its message cannot be decoded
 */
public record ActivityRef(
    ActivityKey key, String activity, ActivityOrigin origin, ActivityRouting routing) {
  public ActivityRef {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(activity, "activity");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(routing, "routing");
  }
}
