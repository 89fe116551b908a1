package io.duroxide.api;

/** Orchestration code for one element of a parallel map. */
@FunctionalInterface
public interface BranchFunction<T, R> {
  R apply(OrchestrationContext branch, T element) throws Exception;
}
