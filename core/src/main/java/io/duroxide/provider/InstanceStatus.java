package io.duroxide.provider;

import io.duroxide.model.ExecutionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of an instance's current execution.
 *
 * @param output result, error text or next input, by status
 */
public record InstanceStatus(
    long executionId,
    ExecutionStatus status,
    @Nullable String output,
    CustomStatus customStatus,
    Instant updatedAt) {}
