package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import java.util.List;
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
    return new OrchestrationItem(
        key, identity.name(), identity.version(), history(key, cached), batch.decoded());
  }

  /** Name and version as recorded, else as the start says, wherever it stands in the batch. */
  private OrchestrationIdentity identity() {
    Optional<OrchestrationIdentity> announced =
        batch.first(WorkItem.StartLike.class).map(TurnReader::announced);
    Optional<OrchestrationIdentity> recorded = instance.flatMap(Instance::recorded);
    boolean begins = instance.filter(Instance::awaitsStart).isPresent();
    return (begins ? announced.or(() -> recorded) : recorded.or(() -> announced))
        .orElse(new OrchestrationIdentity(UNKNOWN, UNKNOWN));
  }

  private static OrchestrationIdentity announced(WorkItem.StartLike start) {
    String version = start.version();
    return new OrchestrationIdentity(start.orchestration(), version == null ? UNKNOWN : version);
  }

  private StoredHistory history(ExecutionKey key, CachedHistory cached) {
    try {
      return instance
          .flatMap(known ->
              Optional.ofNullable(known.current())
                  .map(current -> current.fetch(keptBy(cached, key), known.kv().snapshot())))
          .orElse(StoredHistory.of(List.of()));
    } catch (OutOfMemoryError tooLarge) {
      return StoredHistory.NotLoaded.after(tooLarge);
    }
  }

  /**
   * The caller's newest event, if no other commit followed the one that recorded it; 0 for a batch
   * that begins an execution, which needs everything.
   */
  private long keptBy(CachedHistory cached, ExecutionKey key) {
    CachedHistory.Tip tip = batch.begins() ? null : cached.tip(key);
    if (tip == null || instance.filter(it -> it.lastCommittedBy(tip.commitToken())).isEmpty()) {
      return 0;
    }
    return tip.lastEventId();
  }
}
