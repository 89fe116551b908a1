package io.duroxide.model;

import java.time.Instant;
import java.util.Objects;

/**
 * When and by which framework version an event was written.
 *
 * @param at wall clock at creation, millisecond precision
 * @param frameworkVersion version of the framework; on event 1 it pins the execution
 */
public record EventStamp(Instant at, String frameworkVersion) {
  public EventStamp {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(frameworkVersion, "frameworkVersion");
  }
}
