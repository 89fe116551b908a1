package io.duroxide.model;

import java.util.Objects;

/**
 * One history of an instance.
 *
 * @param instance the id its starter chose
 * @param executionId 1 for the first execution, one more after each continue-as-new
 */
public record ExecutionKey(String instance, long executionId) {
  /** The execution id every instance starts with. */
  public static final long FIRST = 1;

  public ExecutionKey {
    Objects.requireNonNull(instance, "instance");
  }

  /** The execution that follows this one at a continue-as-new. */
  public ExecutionKey next() {
    return new ExecutionKey(instance, executionId + 1);
  }

  /** The form used in messages: {@code order-7/1}. */
  @Override
  public String toString() {
    return instance + "/" + executionId;
  }
}
