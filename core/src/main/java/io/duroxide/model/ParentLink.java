package io.duroxide.model;

import java.util.Objects;

/**
 * Where a child reports its outcome.
 *
 * @param instance the parent's instance
 * @param executionId the execution of the parent that asked for the child
 * @param scheduleId the event by which it asked
 */
public record ParentLink(String instance, long executionId, long scheduleId) {
  public ParentLink {
    Objects.requireNonNull(instance, "instance");
  }
}
