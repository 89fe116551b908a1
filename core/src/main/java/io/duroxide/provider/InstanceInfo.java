package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an instance.
 *
 * @param current its current execution
 * @param code what that execution runs
 * @param output result, error text or next input, by status
 * @param customStatus what it says of itself
 * @param parent who asked for it; null for a root
 */
public record InstanceInfo(
    ExecutionKey current,
    ExecutionCode code,
    ExecutionStatus status,
    @Nullable String output,
    CustomStatus customStatus,
    @Nullable ParentLink parent,
    InstanceTimes times) {
  public String instance() {
    return current.instance();
  }

  public OrchestrationIdentity orchestration() {
    return code.orchestration();
  }

  /** The framework version that its current execution is pinned to; null for none. */
  public @Nullable ExecutionPin pin() {
    return code.pin();
  }

  /** The id of its parent; null for a root. */
  public @Nullable String parentInstance() {
    return parent == null ? null : parent.instance();
  }

  public Instant createdAt() {
    return times.createdAt();
  }

  public Instant updatedAt() {
    return times.updatedAt();
  }

  /** When its current execution ended; null while that runs. */
  public @Nullable Instant completedAt() {
    return times.completedAt();
  }

  /** Whether it completed or failed; between two executions it is alive. */
  public boolean isFinished() {
    return status.endsInstance();
  }
}
