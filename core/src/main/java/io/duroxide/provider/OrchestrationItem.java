package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;

/**
 * Everything a turn needs.
 *
 * @param execution the current execution
 * @param orchestrationName the recorded name, else the name of the start in the batch
 * @param version the recorded version, {@code unknown} if none
 * @param history what is recorded of the current execution; {@link StoredHistory.Whole} whenever
 *     the batch begins an execution, whatever the caller keeps
 * @param messages the batch
 */
public record OrchestrationItem(
    ExecutionKey execution,
    String orchestrationName,
    String version,
    StoredHistory history,
    MessageBatch messages) {

  public String instance() {
    return execution.instance();
  }
}
