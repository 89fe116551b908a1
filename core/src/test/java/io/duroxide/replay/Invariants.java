package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold for the events of an execution, whatever its code and the world did. */
final class Invariants {
  private final ExecutionKey execution;

  Invariants(ExecutionKey execution) {
    this.execution = execution;
  }

  /** The new events of a turn: converted messages, then actions, then decisions; no others. */
  void turn(List<Event> history, List<WorkItem> messages, TurnResult result) {
    Set<Long> newSchedules = new HashSet<>();
    List<Long> recorded = new ArrayList<>();
    int converted = 0;
    int phase = 0;
    for (Event event : result.delta()) {
      int place =
          switch (event.kind()) {
            case EventKind.Lifecycle ignored -> 0;
            case EventKind.Arrival ignored -> 0;
            case EventKind.Completion ignored -> newSchedules.contains(event.source()) ? 1 : 0;
            case EventKind.Schedule ignored -> 1;
            case EventKind.Passive ignored -> 1;
            case EventKind.Decision ignored -> 2;
            case EventKind.Terminal ignored -> throw violated("the engine ended it", history);
          };
      require(place >= phase, "out of order: " + Trial.text(event), result.delta());
      phase = place;
      if (place == 0) {
        converted++;
      } else if (event.kind() instanceof EventKind.Completion) {
        require(recorded.remove(event.source()), "not a system call", result.delta());
      } else if (place == 1) {
        newSchedules.add(event.id());
        recorded.add(event.id());
      }
    }
    require(converted <= messages.size(), "more converted than arrived", result.delta());
    require(
        recorded.equals(result.actions().stream().map(NewAction::eventId).toList()),
        "actions " + result.actions() + " are not what was recorded",
        result.delta());
    structure(together(history, result.delta()));
  }

  private static List<Event> together(List<Event> first, List<Event> second) {
    List<Event> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /** The whole history with the end that a commit writes. */
  List<Event> end(List<Event> history, TurnResult result) {
    List<Event> all = new ArrayList<>(history);
    Outstanding open = result.outstanding();
    open.activities().forEach(id -> add(all, id, new EventKind.ActivityCancelRequested("end")));
    open.children()
        .forEach(child ->
            add(all, child.scheduleId(), new EventKind.SubOrchestrationCancelRequested("end")));
    open.waits().forEach(id -> add(all, id, new EventKind.ExternalSubscribedCancelled("end")));
    open.dequeues().forEach(id -> add(all, id, new EventKind.QueueSubscriptionCancelled("end")));
    everythingIsAccountedFor(all);
    add(
        all,
        null,
        switch (result.outcome()) {
          case TurnOutcome.Completed(String output) -> new EventKind.OrchestrationCompleted(output);
          case TurnOutcome.Failed(ErrorDetails why, LimitExcess excess) ->
              new EventKind.OrchestrationFailed(why);
          case TurnOutcome.Cancelled(String why) ->
              new EventKind.OrchestrationFailed(Facts.failure(why));
          case TurnOutcome.ContinueAsNew next ->
              new EventKind.OrchestrationContinuedAsNew(next.input());
          case TurnOutcome.Continue ignored -> throw new IllegalStateException("not an end");
        });
    structure(all);
    return all;
  }

  private void add(List<Event> all, Long source, EventKind kind) {
    all.add(new Event(execution, all.getLast().id() + 1, source, Facts.STAMP, kind));
  }

  /** Every activity and child has an outcome or a decision; an end decides nothing twice. */
  private void everythingIsAccountedFor(List<Event> all) {
    Map<Long, Integer> ends = new HashMap<>();
    Set<Long> outcomes = new HashSet<>();
    for (Event event : all) {
      if (event.kind() instanceof EventKind.Completion) {
        outcomes.add(event.source());
      } else if (event.kind() instanceof EventKind.Decision) {
        require(
            ends.merge(event.source(), 1, Integer::sum) == 1,
            "decided twice: " + event.source(),
            all);
        boolean late = event.kind() instanceof EventKind.Decision d && d.reason().equals("end");
        require(
            !(late && outcomes.contains(event.source())),
            "has an outcome and is called outstanding: " + event.source(),
            all);
      }
    }
    for (Event event : all) {
      boolean mustEnd =
          event.kind() instanceof EventKind.ActivityScheduled
              || event.kind() instanceof EventKind.SubOrchestrationScheduled;
      require(
          !mustEnd || outcomes.contains(event.id()) || ends.containsKey(event.id()),
          "neither outcome nor decision: " + event.id(),
          all);
    }
  }

  private void structure(List<Event> all) {
    Map<Long, ScheduleKind> schedules = new HashMap<>();
    Set<Long> answered = new HashSet<>();
    Set<Long> dropped = new HashSet<>();
    long last = 0;
    for (Event event : all) {
      require(event.id() > last, "ids do not increase", all);
      last = event.id();
      require(
          event.kind() instanceof EventKind.OrchestrationStarted == (event.id() == 1),
          "event 1 alone is the start",
          all);
      switch (event.kind()) {
        case EventKind.Schedule schedule -> schedules.put(event.id(), ScheduleKind.of(schedule));
        case EventKind.Completion completion -> {
          require(
              schedules.get(event.source()) == ScheduleKind.of(completion),
              "refers to no schedule of its kind: " + Trial.text(event),
              all);
          require(answered.add(event.source()), "second outcome: " + Trial.text(event), all);
        }
        case EventKind.Decision decision -> {
          require(
              schedules.get(event.source()) == ScheduleKind.of(decision),
              "refers to no schedule of its kind: " + Trial.text(event),
              all);
          require(
              !decision.reason().equals(Reasons.DROPPED_FUTURE) || dropped.add(event.source()),
              "dropped twice: " + Trial.text(event),
              all);
        }
        case EventKind.Terminal ignored -> require(event.equals(all.getLast()), "not last", all);
        case EventKind.Arrival ignored -> {}
        case EventKind.Passive ignored -> {}
        case EventKind.Lifecycle ignored -> {}
      }
    }
  }

  private static void require(boolean holds, String what, List<Event> events) {
    if (!holds) {
      throw violated(what, events);
    }
  }

  private static Trial.Violation violated(String what, List<Event> events) {
    StringBuilder text = new StringBuilder(what);
    events.forEach(event -> text.append("\n    ").append(Trial.text(event)));
    return new Trial.Violation(text.toString());
  }
}
