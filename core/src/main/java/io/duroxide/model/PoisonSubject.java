package io.duroxide.model;

/** What was tried too often. */
public sealed interface PoisonSubject {
  record Orchestration(String instance, long executionId) implements PoisonSubject {}

  record Activity(String instance, long executionId, String name, long activityId)
      implements PoisonSubject {}

  record FailedDeserialization(String instance, long executionId, String error)
      implements PoisonSubject {}
}
