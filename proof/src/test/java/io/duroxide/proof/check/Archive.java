package io.duroxide.proof.check;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceTransfer;
import io.duroxide.provider.Provider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that a store holds, read once. */
record Archive(Map<String, Stored> instances) {
  private static final int PAGE = 500;

  /** An instance with the events of each execution that is left. */
  record Stored(InstanceSnapshot snapshot, SortedMap<Long, List<Event>> executions) {
    String id() {
      return snapshot.id();
    }

    /** Whether no execution was pruned. */
    boolean isComplete() {
      return !executions.isEmpty()
          && executions.firstKey() == 1
          && executions.size() == executions.lastKey();
    }

    Stream<Event> events() {
      return executions.values().stream().flatMap(List::stream);
    }

    List<Event> last() {
      return executions.isEmpty() ? List.of() : executions.lastEntry().getValue();
    }

    /** How its first execution began; null if that was pruned. */
    EventKind.@Nullable OrchestrationStarted started() {
      List<Event> first = executions.get(1L);
      return first != null
              && !first.isEmpty()
              && first.getFirst().kind() instanceof EventKind.OrchestrationStarted started
          ? started
          : null;
    }

    /** Its newest event; null if there is none. */
    @Nullable EventKind end() {
      return last().isEmpty() ? null : last().getLast().kind();
    }

    boolean hasEnded() {
      return !last().isEmpty()
          && last().getLast().kind() instanceof EventKind.Terminal terminal
          && !(terminal instanceof EventKind.OrchestrationContinuedAsNew);
    }

    Stream<WorkItem> inbox() {
      return snapshot.inbox().messages().stream().map(row -> WorkItemCodec.decode(row.item()));
    }
  }

  static Archive of(Provider store) {
    InstanceTransfer transfer = store.management().orElseThrow().transfer();
    Map<String, Stored> instances = new LinkedHashMap<>();
    List<String> page = transfer.listIds(null, PAGE);
    while (!page.isEmpty()) {
      for (String id : page) {
        transfer.readInstance(id).ifPresent(snapshot -> instances.put(id, stored(store, snapshot)));
      }
      page = transfer.listIds(page.getLast(), PAGE);
    }
    return new Archive(instances);
  }

  private static Stored stored(Provider store, InstanceSnapshot snapshot) {
    SortedMap<Long, List<Event>> executions = new TreeMap<>();
    for (InstanceSnapshot.ExecutionRow row : snapshot.executions()) {
      executions.put(row.id(), store.readWithExecution(snapshot.key(row)));
    }
    return new Stored(snapshot, executions);
  }
}
