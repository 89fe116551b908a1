package io.duroxide.proof.check;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** IV-5 to IV-8 and IV-14: histories are sound by themselves, and rows agree with them. */
final class HistoryCheck implements InvariantCheck {

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      executions(stored, breaches);
      statuses(stored, breaches);
      stored
          .executions()
          .forEach((number, history) -> {
            String where = stored.id() + "#" + number;
            boolean current = number.equals(stored.executions().lastKey());
            if (history.isEmpty()) {
              breaches.add("IV-5", where, "it has no events");
            } else {
              numbers(where, history, breaches);
              ends(where, history, current, breaches);
              outcomes(where, history, breaches);
              times(where, history, breaches);
            }
          });
    }
    return breaches.all();
  }

  private static void executions(Archive.Stored stored, Breaches breaches) {
    List<Long> numbers = new ArrayList<>(stored.executions().keySet());
    for (int i = 1; i < numbers.size(); i++) {
      breaches.unless(
          numbers.get(i) == numbers.get(i - 1) + 1,
          "IV-5",
          stored.id(),
          "its executions are " + numbers);
      List<Event> earlier = stored.executions().get(numbers.get(i - 1));
      List<Event> later = stored.executions().get(numbers.get(i));
      breaches.unless(
          earlier.isEmpty()
              || later.isEmpty()
              || !earlier.getLast().stamp().at().isAfter(later.getFirst().stamp().at()),
          "IV-5",
          stored.id() + "#" + numbers.get(i - 1),
          "something was recorded after the next execution began");
    }
    if (!numbers.isEmpty()) {
      long last = stored.last().isEmpty() ? 0 : stored.last().getLast().id();
      var current = stored.snapshot().current();
      breaches.unless(
          current != null && current.id() == numbers.getLast() && current.lastEvent() == last,
          "IV-14",
          stored.id(),
          "its row knows of %s, its newest execution is %d with %d events"
              .formatted(current, numbers.getLast(), last));
    }
  }

  private static void statuses(Archive.Stored stored, Breaches breaches) {
    for (InstanceSnapshot.ExecutionRow row : stored.snapshot().executions()) {
      List<Event> history = stored.executions().getOrDefault(row.id(), List.of());
      EventKind last = history.isEmpty() ? null : history.getLast().kind();
      ExecutionStatus said =
          switch (last) {
            case EventKind.OrchestrationCompleted ignored -> ExecutionStatus.COMPLETED;
            case EventKind.OrchestrationFailed ignored -> ExecutionStatus.FAILED;
            case EventKind.OrchestrationContinuedAsNew ignored -> ExecutionStatus.CONTINUED_AS_NEW;
            case null, default -> ExecutionStatus.RUNNING;
          };
      breaches.unless(
          row.info().status() == said,
          "IV-6",
          stored.id() + "#" + row.id(),
          "its row says %s, and its last event is %s".formatted(row.info().status(), last));
    }
  }

  /** Whether it can be replayed at all. */
  static boolean isSound(List<Event> history) {
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).id() != i + 1) {
        return false;
      }
    }
    return !history.isEmpty()
        && history.getFirst().kind() instanceof EventKind.OrchestrationStarted;
  }

  private static void numbers(String where, List<Event> history, Breaches breaches) {
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).id() != i + 1) {
        breaches.add(
            "IV-5", where, "event %d has the number %d".formatted(i + 1, history.get(i).id()));
        return;
      }
    }
  }

  private static void ends(String where, List<Event> history, boolean current, Breaches breaches) {
    breaches.unless(
        history.getFirst().kind() instanceof EventKind.OrchestrationStarted,
        "IV-6",
        where,
        "it begins with " + history.getFirst());
    long starts =
        history.stream().filter(e -> e.kind() instanceof EventKind.OrchestrationStarted).count();
    long terminals = history.stream().filter(e -> e.kind() instanceof EventKind.Terminal).count();
    breaches.unless(starts == 1, "IV-6", where, "it has " + starts + " starts");
    breaches.unless(terminals <= 1, "IV-6", where, "it has " + terminals + " ends");
    EventKind last = history.getLast().kind();
    breaches.unless(
        terminals == 0 || last instanceof EventKind.Terminal,
        "IV-6",
        where,
        "something was recorded behind its end: " + history.getLast());
    breaches.unless(
        current == !(last instanceof EventKind.OrchestrationContinuedAsNew),
        "IV-6",
        where,
        (current ? "nothing came after" : "it is not the last, and its last event is ") + last);
  }

  private static void outcomes(String where, List<Event> history, Breaches breaches) {
    Map<Long, EventKind> schedules = new HashMap<>();
    Set<Long> completed = new HashSet<>();
    Set<Long> settled = new HashSet<>();
    Map<String, Integer> open = new HashMap<>();
    for (Event event : history) {
      Long source = event.source();
      switch (event.kind()) {
        case EventKind.Schedule schedule -> {
          schedules.put(event.id(), schedule);
          waiting(schedule, 1, open);
        }
        case EventKind.Completion completion -> {
          breaches.unless(
              source != null && schedules.containsKey(source),
              "IV-7",
              where,
              "an outcome without a schedule: " + event);
          breaches.unless(
              source == null || completed.add(source),
              "IV-7",
              where,
              "a second outcome of schedule " + source + ": " + event);
          settle(source, settled);
        }
        case EventKind.Decision decision -> {
          EventKind schedule = source == null ? null : schedules.get(source);
          breaches.unless(
              schedule != null, "IV-7", where, "a decision without a schedule: " + event);
          waiting(schedule, -1, open);
          settle(source, settled);
        }
        case EventKind.ExternalEvent arrival ->
            open.merge("event " + arrival.name(), -1, Integer::sum);
        case EventKind.QueueEventDelivered arrival ->
            open.merge("queue " + arrival.name(), -1, Integer::sum);
        case EventKind.Lifecycle ignored -> {}
        case EventKind.Passive ignored -> {}
        case EventKind.Terminal ignored -> {}
      }
    }
    if (!(history.getLast().kind() instanceof EventKind.Terminal)) {
      return;
    }
    schedules.forEach((id, schedule) ->
        breaches.unless(
            settled.contains(id) || isWait(schedule) || schedule instanceof EventKind.TimerCreated,
            "IV-7",
            where,
            "it ended, and schedule %d has neither outcome nor decision: %s"
                .formatted(id, schedule)));
    open.forEach((name, count) ->
        breaches.unless(
            count <= 0, "IV-7", where, "it ended with " + count + " open waits for " + name));
  }

  private static void settle(@Nullable Long source, Set<Long> settled) {
    if (source != null) {
      settled.add(source);
    }
  }

  private static boolean isWait(EventKind schedule) {
    return schedule instanceof EventKind.ExternalSubscribed
        || schedule instanceof EventKind.QueueSubscribed;
  }

  /** Waits are answered by arrivals of their name, which name no schedule. */
  private static void waiting(@Nullable EventKind schedule, int change, Map<String, Integer> open) {
    if (schedule instanceof EventKind.ExternalSubscribed wait) {
      open.merge("event " + wait.name(), change, Integer::sum);
    } else if (schedule instanceof EventKind.QueueSubscribed wait) {
      open.merge("queue " + wait.name(), change, Integer::sum);
    }
  }

  private static void times(String where, List<Event> history, Breaches breaches) {
    for (int i = 0; i < history.size(); i++) {
      Event event = history.get(i);
      breaches.unless(
          i == 0 || !event.stamp().at().isBefore(history.get(i - 1).stamp().at()),
          "IV-8",
          where,
          "event %d was recorded before the one before it".formatted(event.id()));
      breaches.unless(
          !(event.kind() instanceof EventKind.TimerFired fired)
              || !event.stamp().at().isBefore(fired.fireAt()),
          "IV-8",
          where,
          "timer " + event.source() + " fired before its time");
    }
  }
}
