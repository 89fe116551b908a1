package io.duroxide.api;

/**
 * The code of an orchestration: deterministic coordination without I/O. Shared by all instances, so
 * it holds no mutable state.
 */
@FunctionalInterface
public interface OrchestrationHandler<I, O> {
  /**
   * Runs the orchestration. A thrown {@link OrchestrationFailure} fails it with that message; any
   * other exception fails it as a panic.
   */
  O run(OrchestrationContext context, I input) throws Exception;
}
