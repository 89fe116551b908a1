package io.duroxide.model;

import java.time.Instant;
import java.util.Objects;

/**
 * The run of an activity that brought its outcome. It is told to people and tools alone: replay
 * never looks at it.
 *
 * @param startedAt when the handler was called, by the clock of the store
 * @param workerId the worker that called it
 * @param number how often the activity was handed to a worker, this time included
 */
public record ActivityAttempt(Instant startedAt, String workerId, int number) {
  public ActivityAttempt {
    Objects.requireNonNull(startedAt, "startedAt");
    Objects.requireNonNull(workerId, "workerId");
  }
}
