package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything one turn needs. Guarded by the gate.
 *
 * @param instance what is stored of it, nothing before its first commit
 */
record TurnReader(String id, Optional<Instance> instance, Batch batch) {
  private static final String UNKNOWN = "unknown";

  OrchestrationItem read(CachedHistory cached) {
    ExecutionKey key =
        instance.map(Instance::currentKey).orElse(new ExecutionKey(id, ExecutionKey.FIRST));
    OrchestrationIdentity identity = identity();
    StoredHistory history = history(key, cached);
    return new OrchestrationItem(
        key, identity.name(), identity.version(), history, batch.decoded(), snapshotFor(history));
  }

  /** Name and version as recorded, else as the start says, wherever it stands in the batch. */
  private OrchestrationIdentity identity() {
    return instance
        .flatMap(Instance::recorded)
        .or(() -> batch.first(WorkItem.StartLike.class).map(TurnReader::announced))
        .orElse(new OrchestrationIdentity(UNKNOWN, UNKNOWN));
  }

  private static OrchestrationIdentity announced(WorkItem.StartLike start) {
    String version = start.version();
    return new OrchestrationIdentity(start.orchestration(), version == null ? UNKNOWN : version);
  }

  private StoredHistory history(ExecutionKey key, CachedHistory cached) {
    return instance
        .map(Instance::current)
        .map(current -> current.fetch(keptBy(cached, key)))
        .orElse(StoredHistory.of(List.of()));
  }

  /** The caller's newest event, if nobody else committed since the caller recorded it. */
  private long keptBy(CachedHistory cached, ExecutionKey key) {
    CachedHistory.Tip tip = cached.tip(key);
    if (tip == null || instance.filter(it -> it.lastCommittedBy(tip.commitToken())).isEmpty()) {
      return 0;
    }
    return tip.lastEventId();
  }

  private Map<String, KvEntry> snapshotFor(StoredHistory history) {
    boolean needed = history.error() == null && history.after() == 0;
    return needed ? instance.map(known -> known.kv().snapshot()).orElse(Map.of()) : Map.of();
  }
}
