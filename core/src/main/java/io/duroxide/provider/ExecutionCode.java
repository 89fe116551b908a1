package io.duroxide.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which code an execution runs.
 *
 * @param pin the framework version that it is pinned to; null for none
 */
public record ExecutionCode(OrchestrationIdentity orchestration, @Nullable ExecutionPin pin) {
  public ExecutionCode {
    Objects.requireNonNull(orchestration, "orchestration");
  }
}
