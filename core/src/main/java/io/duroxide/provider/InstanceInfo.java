package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an instance.
 *
 * @param current its current execution
 * @param parentInstance its parent, null for a root
 */
public record InstanceInfo(
    ExecutionKey current,
    OrchestrationIdentity orchestration,
    ExecutionStatus status,
    @Nullable String output,
    @Nullable String parentInstance,
    Instant createdAt,
    Instant updatedAt) {
  public String instance() {
    return current.instance();
  }
}
