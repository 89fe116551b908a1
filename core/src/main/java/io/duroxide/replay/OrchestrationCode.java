package io.duroxide.replay;

import io.duroxide.api.OrchestrationContext;

/** An orchestration whose input and output are text. */
@FunctionalInterface
public interface OrchestrationCode {
  String run(OrchestrationContext context, String input) throws Exception;
}
