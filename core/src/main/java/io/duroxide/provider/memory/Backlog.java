package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.Need;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.WaitingWork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is ready, by what it needs. Guarded by the gate. */
final class Backlog {
  private final Tables tables;
  private final int instancesEach;
  private final Map<Need, List<String>> waiting = new LinkedHashMap<>();

  Backlog(Tables tables, int instancesEach) {
    this.tables = tables;
    this.instancesEach = instancesEach;
  }

  List<WaitingWork> count() {
    Instant now = tables.now();
    for (Inbox inbox : tables.orchestratorQueue().ready()) {
      if (inbox.isDue(now)) {
        need(inbox, now).ifPresent(need -> add(need, inbox.instance()));
      }
    }
    tables.workerQueue().tasks().stream()
        .filter(task -> task.isFree(now))
        .sorted(Comparator.comparingLong(Task::seq))
        .forEach(task ->
            add(new Need.Run(task.lane().activity(), task.lane().tag()), task.key().instance()));
    return waiting.entrySet().stream().map(this::work).toList();
  }

  private void add(Need need, String instance) {
    waiting.computeIfAbsent(need, any -> new ArrayList<>()).add(instance);
  }

  private WaitingWork work(Map.Entry<Need, List<String>> entry) {
    List<String> all = entry.getValue();
    return new WaitingWork(
        entry.getKey(),
        all.size(),
        all.stream().distinct().limit(Math.max(0, instancesEach)).toList());
  }

  /**
   * As a fetch looks at it: the next execution, else what is recorded, else the start; nothing is
   * needed for an instance that has ended.
   */
  private Optional<Need> need(Inbox inbox, Instant now) {
    List<WorkItem> batch =
        inbox.visible(now).messages().stream().<WorkItem>map(Message::item).toList();
    Optional<Instance> known = tables.instances().find(inbox.instance());
    Optional<Need.Turn> next = first(batch, WorkItem.ContinueAsNew.class).map(Backlog::asked);
    if (next.isEmpty() && known.filter(Instance::hasEnded).isPresent()) {
      return Optional.empty();
    }
    Execution current = known.map(Instance::current).orElse(null);
    return next.or(() -> known.flatMap(Instance::recorded).map(Backlog::recorded))
        .or(() -> first(batch, WorkItem.StartOrchestration.class).map(Backlog::asked))
        .map(turn ->
            new Need.Turn(
                turn.orchestration(), turn.version(), current == null ? null : current.pin()));
  }

  private static <T extends WorkItem> Optional<T> first(List<WorkItem> batch, Class<T> type) {
    return batch.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  private static Need.Turn asked(WorkItem.StartLike start) {
    return new Need.Turn(start.orchestration(), start.version(), null);
  }

  private static Need.Turn recorded(OrchestrationIdentity identity) {
    return new Need.Turn(identity.name(), identity.version(), null);
  }
}
