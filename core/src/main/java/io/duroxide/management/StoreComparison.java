package io.duroxide.management;

import io.duroxide.provider.EventPages;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import io.duroxide.provider.InstanceTransfer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Compares what two stores hold. Thread-safe. */
record StoreComparison(InstanceTransfer source, InstanceTransfer target) {
  private static final Map<String, Function<InstanceSnapshot, Object>> PARTS = parts();

  private static Map<String, Function<InstanceSnapshot, Object>> parts() {
    Map<String, Function<InstanceSnapshot, Object>> parts = new LinkedHashMap<>();
    parts.put("name, parent, times or custom status", part -> Optional.ofNullable(part.head()));
    parts.put("current execution", InstanceSnapshot::currentExecution);
    parts.put("executions", InstanceSnapshot::executions);
    parts.put("values", InstanceSnapshot::values);
    parts.put("messages", InstanceSnapshot::inbox);
    parts.put("activities", InstanceSnapshot::activities);
    return parts;
  }

  /** What is not the same under {@code id}; empty if nobody can tell the two apart. */
  Optional<String> difference(String id) {
    Optional<InstanceSnapshot> here = source.readInstance(id);
    Optional<InstanceSnapshot> there = target.readInstance(id);
    if (here.isEmpty() || there.isEmpty()) {
      return here.isPresent() == there.isPresent()
          ? Optional.empty()
          : Optional.of(here.isEmpty() ? "gone from the source" : "missing in the target");
    }
    return difference(here.get().renumbered(), there.get().renumbered());
  }

  private Optional<String> difference(InstanceSnapshot here, InstanceSnapshot there) {
    if (!here.equals(there)) {
      return PARTS.entrySet().stream()
          .filter(part -> !part.getValue().apply(here).equals(part.getValue().apply(there)))
          .findFirst()
          .map(part -> part.getKey() + " differ");
    }
    return here.executions().stream()
        .filter(execution -> !sameHistory(here, execution))
        .findFirst()
        .map(execution -> "history of execution " + execution.id() + " differs");
  }

  /** As many events on both sides, so pages end at the same places unless they differ. */
  private boolean sameHistory(InstanceSnapshot instance, ExecutionRow execution) {
    Iterator<List<EventRow>> here =
        new EventPages(instance.key(execution), execution, source::readEvents).iterator();
    Iterator<List<EventRow>> there =
        new EventPages(instance.key(execution), execution, target::readEvents).iterator();
    while (here.hasNext()) {
      if (!here.next().equals(there.next())) {
        return false;
      }
    }
    return true;
  }
}
