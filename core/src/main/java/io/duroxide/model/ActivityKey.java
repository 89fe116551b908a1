package io.duroxide.model;

import java.util.Objects;

/**
 * Names one scheduled activity in the whole store.
 *
 * @param instance the instance that scheduled it
 * @param executionId the execution that scheduled it
 * @param activityId the id of its schedule event
 */
public record ActivityKey(String instance, long executionId, long activityId) {
  public ActivityKey {
    Objects.requireNonNull(instance, "instance");
  }
}
