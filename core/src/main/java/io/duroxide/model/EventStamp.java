package io.duroxide.model;

import java.time.Instant;
import java.util.Objects;

/**
 * When and by which framework version an event was written.
 *
 * @param at wall clock at creation, millisecond precision; not before that of an earlier event of
 *     the execution, whatever the clock shows
 * @param frameworkVersion version of the framework; on event 1 it pins the execution
 */
public record EventStamp(Instant at, String frameworkVersion) {
  public EventStamp {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(frameworkVersion, "frameworkVersion");
  }

  /** This, or at that instant if the clock went back behind it. */
  public EventStamp notBefore(Instant earliest) {
    return at.isBefore(earliest) ? new EventStamp(earliest, frameworkVersion) : this;
  }
}
