package io.duroxide.proof.check;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import io.duroxide.proof.program.ProgramCode;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.replay.Author;
import io.duroxide.replay.EngineOptions;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import io.duroxide.replay.HistoryPruning;
import io.duroxide.replay.TurnInput;
import io.duroxide.replay.TurnOutcome;
import io.duroxide.replay.TurnResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * IV-9: cut at a turn boundary, an execution records from what arrived next what its history says,
 * and ends as it says. The values of an instance are those that its histories say. Where past
 * executions were pruned, nothing says with which values the next one began.
 */
final class ReplayCheck implements InvariantCheck {
  private static final String ID = "IV-9";

  /** Of long histories so many turns, and not all, are computed anew. */
  private static final int MOST_TURNS = 6;

  private static final UUID GUID = UUID.fromString("00000000-0000-4000-8000-000000000000");

  private static final HistoryPruning PRUNING =
      (setup, retention) -> new EventKind.HistoryPruned(0, 0, null, null, null);

  private static final EngineOptions OPTIONS =
      new EngineOptions(
          InstantSource.system(),
          () -> GUID,
          DataConverter.json(),
          Limits.DEFAULT,
          Duration.ofSeconds(30),
          new Author("0.0.0", "checker"),
          PRUNING);

  @Override
  public List<Breach> breaches(Evidence evidence) {
    try {
      return breaches(evidence.archive());
    } finally {
      // It would sleep for half the limit of blocked code, and the test JVM ends before that.
      Execution.dismissWatch();
    }
  }

  private static List<Breach> breaches(Archive archive) {
    Breaches breaches = new Breaches();
    for (Archive.Stored stored : archive.instances().values()) {
      if (stored.isComplete() && stored.events().noneMatch(event -> event.id() < 1)) {
        Map<String, KvEntry> values = new TreeMap<>();
        stored
            .executions()
            .values()
            .forEach(history -> {
              turns(stored.id(), history, values, breaches);
              fold(history, values);
            });
        values(stored, values, breaches);
      }
    }
    return breaches.all();
  }

  /** Computes some turns anew, the last one in any case. */
  private static void turns(
      String instance, List<Event> history, Map<String, KvEntry> values, Breaches breaches) {
    if (!HistoryCheck.isSound(history)) {
      return;
    }
    List<Integer> begins = begins(history);
    int step = Math.max(1, begins.size() / MOST_TURNS);
    for (int i = begins.size() - 1; i >= 0; i -= step) {
      int from = begins.get(i);
      int until = i + 1 < begins.size() ? begins.get(i + 1) : history.size();
      String where =
          "%s#%d behind event %d"
              .formatted(instance, history.getFirst().execution().executionId(), from);
      try {
        turn(history, from, until, values).forEach(text -> breaches.add(ID, where, text));
      } catch (RuntimeException e) {
        breaches.add(ID, where, "it cannot be replayed: " + e);
      }
    }
  }

  /** What arrives is recorded first in a turn, so where it follows something else a turn began. */
  private static List<Integer> begins(List<Event> history) {
    List<Integer> begins = new ArrayList<>(List.of(0));
    for (int i = 2; i < history.size(); i++) {
      if (arrives(history, i) && !arrives(history, i - 1)) {
        begins.add(i);
      }
    }
    return begins;
  }

  private static boolean arrives(List<Event> history, int index) {
    return index == 0 || EventForms.message(history.get(index), history).isPresent();
  }

  /** How a turn that is computed anew differs from what was recorded. */
  private static List<String> turn(
      List<Event> history, int from, int until, Map<String, KvEntry> values) {
    List<Event> recorded = history.subList(Math.max(1, from), until);
    List<WorkItem> messages = new ArrayList<>();
    for (Event event : recorded) {
      EventForms.message(event, history).ifPresent(messages::add);
    }
    EventKind.OrchestrationStarted started =
        (EventKind.OrchestrationStarted) history.getFirst().kind();
    Execution execution =
        new Execution(
            new ExecutionSetup(
                history.getFirst().execution(),
                started.name(),
                started.version(),
                ProgramCode.code(started.name()),
                OPTIONS));
    TurnResult result;
    try {
      List<Event> before = history.subList(0, Math.max(1, from));
      result = execution.turn(new TurnInput(before, from, messages, Map.copyOf(values)));
    } finally {
      execution.discard();
    }
    List<String> found = new ArrayList<>();
    List<String> expected =
        recorded.stream()
            .filter(event -> !EventForms.isOfEnd(event))
            .map(EventForms::plain)
            .toList();
    List<String> computed = result.delta().stream().map(EventForms::plain).toList();
    if (!computed.equals(expected)) {
      found.add("it records %s, and its history says %s".formatted(computed, expected));
    }
    if (!isSame(result.outcome(), history.get(until - 1).kind())) {
      found.add(
          "it replays to %s, and its history says %s"
              .formatted(result.outcome(), history.get(until - 1)));
    }
    return found;
  }

  private static boolean isSame(TurnOutcome outcome, EventKind terminal) {
    return switch (outcome) {
      case TurnOutcome.Continue ignored -> !(terminal instanceof EventKind.Terminal);
      case TurnOutcome.Completed o ->
          terminal.equals(new EventKind.OrchestrationCompleted(o.output()));
      case TurnOutcome.ContinueAsNew o ->
          terminal instanceof EventKind.OrchestrationContinuedAsNew next
              && next.input().equals(o.input());
      case TurnOutcome.Failed o ->
          terminal instanceof EventKind.OrchestrationFailed failed
              && failed.details().displayMessage().equals(o.details().displayMessage());
      case TurnOutcome.Cancelled o ->
          terminal instanceof EventKind.OrchestrationFailed failed
              && failed.details() instanceof ErrorDetails.Application application
              && application.kind() instanceof ApplicationErrorKind.Cancelled cancelled
              && cancelled.reason().equals(o.reason());
    };
  }

  private static void fold(List<Event> history, Map<String, KvEntry> values) {
    for (Event event : history) {
      switch (event.kind()) {
        case EventKind.KeyValueSet set ->
            values.put(set.key(), new KvEntry(set.value(), set.lastUpdatedAt()));
        case EventKind.KeyValueCleared cleared -> values.remove(cleared.key());
        case EventKind.KeyValuesCleared ignored -> values.clear();
        default -> {}
      }
    }
  }

  private static void values(
      Archive.Stored stored, Map<String, KvEntry> folded, Breaches breaches) {
    if (!stored.hasEnded()) {
      return;
    }
    Map<String, String> expected = new TreeMap<>();
    folded.forEach((key, entry) -> expected.put(key, entry.value()));
    Map<String, String> actual = new TreeMap<>();
    for (InstanceSnapshot.ValueRow row : stored.snapshot().values()) {
      if (row.value() != null) {
        actual.put(row.key(), row.value());
      }
    }
    breaches.unless(
        actual.equals(expected),
        "IV-10",
        stored.id(),
        "its values are %s and its histories say %s".formatted(actual, expected));
  }
}
