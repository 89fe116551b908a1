package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.replay.Schedule.Signal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keeps what an execution has dispatched and turns signals into messages about it. */
final class World {
  private final ExecutionKey execution;
  private final List<NewAction> open = new ArrayList<>();
  private final List<NewAction> done = new ArrayList<>();
  private int arrivals;

  World(ExecutionKey execution) {
    this.execution = execution;
  }

  /** What a commit of this turn sends out. */
  void dispatch(TurnResult result) {
    Set<Long> unwanted = new HashSet<>(result.abandoned().activities());
    result.abandoned().children().forEach(child -> unwanted.add(child.scheduleId()));
    for (NewAction action : result.actions()) {
      boolean answerable =
          action.action() instanceof Action.CallActivity
              || action.action() instanceof Action.CreateTimer
              || action.action() instanceof Action.StartSubOrchestration;
      if (answerable && !unwanted.contains(action.eventId())) {
        open.add(action);
      }
    }
  }

  boolean idle() {
    return open.isEmpty();
  }

  List<WorkItem> messages(List<Signal> signals) {
    List<WorkItem> messages = new ArrayList<>();
    for (Signal signal : signals) {
      switch (signal) {
        case Schedule.Finish(int pick, boolean fails) -> {
          if (!open.isEmpty()) {
            NewAction ended = open.remove(pick % open.size());
            done.add(ended);
            messages.add(outcome(ended, fails, execution.executionId()));
          }
        }
        case Schedule.Repeat(int pick, boolean fails) -> {
          if (!done.isEmpty()) {
            NewAction again = done.get(pick % done.size());
            messages.add(outcome(again, fails, execution.executionId()));
          }
        }
        case Schedule.Foreign(int pick, int distance) -> {
          if (!open.isEmpty()) {
            NewAction other = open.get(pick % open.size());
            messages.add(outcome(other, false, execution.executionId() + distance));
          }
        }
        case Schedule.Raise(String name) ->
            messages.add(new WorkItem.ExternalRaised(execution.instance(), name, "e" + arrivals++));
        case Schedule.Enqueue(String queue) ->
            messages.add(new WorkItem.QueueMessage(execution.instance(), queue, "q" + arrivals++));
        case Schedule.CancelIt() ->
            messages.add(new WorkItem.CancelInstance(execution.instance(), "enough", null));
        case Schedule.Poison(int pick) -> poison(pick, messages);
        case Schedule.Stray() ->
            messages.add(
                new WorkItem.ActivityCompleted(
                    execution.instance(), execution.executionId(), 9_999, "stray"));
      }
    }
    return messages;
  }

  private void poison(int pick, List<WorkItem> messages) {
    if (open.isEmpty()) {
      return;
    }
    NewAction ended = open.get(pick % open.size());
    ErrorDetails broken = new ErrorDetails.Infrastructure("disk", "full", false);
    long id = ended.eventId();
    if (ended.action() instanceof Action.CallActivity) {
      messages.add(
          new WorkItem.ActivityFailed(execution.instance(), execution.executionId(), id, broken));
    } else if (ended.action() instanceof Action.StartSubOrchestration) {
      messages.add(
          new WorkItem.SubOrchFailed(execution.instance(), execution.executionId(), id, broken));
    }
  }

  private WorkItem outcome(NewAction ended, boolean fails, long executionId) {
    return outcome(new ExecutionKey(execution.instance(), executionId), ended, fails);
  }

  /** The message that an action ended. */
  static WorkItem outcome(ExecutionKey key, NewAction ended, boolean fails) {
    String instance = key.instance();
    long executionId = key.executionId();
    long id = ended.eventId();
    return switch (ended.action()) {
      case Action.CallActivity call ->
          fails
              ? new WorkItem.ActivityFailed(
                  instance, executionId, id, Facts.failure("f" + call.input()))
              : new WorkItem.ActivityCompleted(
                  instance, executionId, id, "\"" + call.input() + "\"");
      case Action.StartSubOrchestration child ->
          fails
              ? new WorkItem.SubOrchFailed(
                  instance, executionId, id, Facts.failure("f" + child.input()))
              : new WorkItem.SubOrchCompleted(instance, executionId, id, "c" + child.input());
      case Action.CreateTimer timer ->
          new WorkItem.TimerFired(instance, executionId, id, timer.fireAt());
      default -> throw new IllegalStateException("nothing answers " + ended);
    };
  }
}
