package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything a turn needs.
 *
 * @param execution the current execution
 * @param orchestrationName the recorded name, else the name of the start in the batch
 * @param version the recorded version, {@code unknown} if none
 * @param history what is recorded of the current execution
 * @param messages the batch
 * @param kvSnapshot the KV state at the start of the current execution; empty when the history
 *     could not be read or was cached
 */
public record OrchestrationItem(
    ExecutionKey execution,
    String orchestrationName,
    String version,
    StoredHistory history,
    MessageBatch messages,
    Map<String, KvEntry> kvSnapshot) {
  public OrchestrationItem {
    kvSnapshot = Collections.unmodifiableMap(new LinkedHashMap<>(kvSnapshot));
  }

  public String instance() {
    return execution.instance();
  }
}
