package io.duroxide.api;

/** Orchestration code that runs beside other code of the same orchestration, one at a time. */
@FunctionalInterface
public interface Branch<T> {
  T run(OrchestrationContext branch) throws Exception;
}
