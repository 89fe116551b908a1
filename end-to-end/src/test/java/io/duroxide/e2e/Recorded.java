package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a store has recorded, without what may differ from run to run: times, generated ids, the
 * order in which things beside each other ended, and which execution a message from outside met.
 */
final class Recorded {
  private Recorded() {}

  /** For each execution, how often each kind of event stands in it. */
  static Map<String, Map<String, Long>> in(Provider store) {
    Map<String, Map<String, Long>> executions = new TreeMap<>();
    for (List<Event> history : histories(store)) {
      ExecutionKey key = history.getFirst().execution();
      executions.put(
          key.instance() + "/" + key.executionId(),
          history.stream()
              .map(Event::kind)
              .filter(kind -> !(kind instanceof EventKind.Arrival))
              .map(Recorded::name)
              .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting())));
    }
    return executions;
  }

  private static String name(EventKind kind) {
    String type = kind.getClass().getSimpleName();
    return switch (kind) {
      case EventKind.ActivityScheduled scheduled -> type + " " + scheduled.name();
      case EventKind.OrchestrationCompleted completed -> type + " " + completed.output();
      case EventKind.OrchestrationFailed failed -> type + " " + failed.details().displayMessage();
      case EventKind.OrchestrationContinuedAsNew continued -> type + " " + continued.input();
      case EventKind.CustomStatusUpdated update -> type + " " + update.status();
      case EventKind.KeyValueSet set -> type + " " + set.key() + "=" + set.value();
      default -> type;
    };
  }

  /** What holds for every history, whatever happened to the nodes. */
  static void check(Provider store) {
    for (List<Event> history : histories(store)) {
      assertThat(history.stream().map(Event::id))
          .as("event ids of %s", history.getFirst().execution())
          .containsExactlyElementsOf(
              Stream.iterate(1L, id -> id + 1).limit(history.size()).toList());
      assertThat(history.subList(0, history.size() - 1))
          .noneMatch(event -> event.kind() instanceof EventKind.Terminal);
      if (history.getLast().kind() instanceof EventKind.Terminal) {
        checkOutcomes(history);
      }
    }
  }

  /** Every activity has exactly one outcome: a completion, or the decision to give it up. */
  private static void checkOutcomes(List<Event> history) {
    for (Event event : history) {
      if (event.kind() instanceof EventKind.ActivityScheduled) {
        assertThat(history)
            .as("outcomes of %s", event)
            .filteredOn(other -> Objects.equals(other.source(), event.id()))
            .filteredOn(other ->
                other.kind() instanceof EventKind.Completion
                    || other.kind() instanceof EventKind.Decision)
            .hasSize(1);
      }
    }
  }

  private static List<List<Event>> histories(Provider store) {
    ProviderAdmin admin = store.management().orElseThrow();
    List<List<Event>> histories = new ArrayList<>();
    for (String instance : admin.listInstances().stream().sorted().toList()) {
      for (long execution : admin.listExecutions(instance)) {
        histories.add(store.readWithExecution(new ExecutionKey(instance, execution)));
      }
    }
    return histories;
  }
}
