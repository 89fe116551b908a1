package io.duroxide.provider;

import io.duroxide.model.ExecutionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one execution.
 *
 * @param pin the framework version that it is pinned to; null for none
 */
public record ExecutionInfo(
    long executionId,
    ExecutionStatus status,
    @Nullable String output,
    Instant startedAt,
    @Nullable Instant completedAt,
    long eventCount,
    @Nullable ExecutionPin pin) {}
