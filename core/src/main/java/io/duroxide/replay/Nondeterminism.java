package io.duroxide.replay;

import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import org.jspecify.annotations.Nullable;

/** Words for what no longer fits between code and history. */
final class Nondeterminism {
  private static final String CAUSE = "; was the orchestration changed without a new version?";

  private final ExecutionKey execution;
  private final String orchestration;

  Nondeterminism(ExecutionKey execution, String orchestration) {
    this.execution = execution;
    this.orchestration = orchestration;
  }

  /** A recorded action that the code did not ask for in its place. */
  ErrorDetails unexpected(String what, Event recorded, @Nullable Action asked) {
    return error(
        "%s: event %d recorded %s, the code now asks for %s%s"
            .formatted(what, recorded.id(), describe(recorded.kind()), describe(asked), CAUSE));
  }

  /** A recorded completion that no open schedule waits for. */
  ErrorDetails withoutSchedule(Event completion) {
    return error(
        "completion without open schedule: event %d completes id=%d, which is unknown, later or already completed; the stored history is damaged or was written by other code"
            .formatted(completion.id(), completion.source()));
  }

  /** A recorded completion of another kind than its schedule. */
  ErrorDetails wrongKind(Event completion, ScheduleKind scheduled, ScheduleKind completed) {
    return error(
        "completion kind mismatch: event %d completes id=%d as %s, but that is %s; the stored history is damaged or was written by other code"
            .formatted(completion.id(), completion.source(), completed.label(), scheduled.label()));
  }

  /** An outcome message that fits no schedule. */
  ErrorDetails unmatchedOutcome(long id, ScheduleKind completed, @Nullable ScheduleKind scheduled) {
    if (scheduled == null) {
      return error(
          "no matching schedule for %s id=%d: a message reports an outcome for something this execution never scheduled"
              .formatted(completed.completionLabel(), id));
    }
    return error(
        "completion kind mismatch for id=%d: the message completes %s, but that id is %s"
            .formatted(id, article(completed), article(scheduled)));
  }

  /** A recorded abandonment that the code did not repeat. */
  ErrorDetails cancellationNotRepeated(ScheduleKind kind, long id) {
    return error(
        "cancellation mismatch (%s): history records that id=%d was given up, the code now keeps it%s"
            .formatted(family(kind), id, CAUSE));
  }

  /** Code that gets what it asks for at once, again and again. */
  ErrorDetails endless(int reruns) {
    return new ErrorDetails.Infrastructure(
        "quiescence_loop",
        "%s: the code was resumed more than %d times in one turn; does it loop without waiting?"
            .formatted(execution, reruns),
        false);
  }

  ErrorDetails corrupted(String what) {
    return error("corrupted history: " + what);
  }

  private ErrorDetails error(String message) {
    return new ErrorDetails.Configuration(
        ConfigurationErrorKind.NONDETERMINISM, orchestration, execution + ": " + message);
  }

  private static String article(ScheduleKind kind) {
    return kind == ScheduleKind.ACTIVITY ? "an activity" : "a " + kind.label();
  }

  private static String family(ScheduleKind kind) {
    return switch (kind) {
      case ACTIVITY -> "activities";
      case CHILD -> "sub-orchestrations";
      case WAIT -> "external waits";
      case DEQUEUE -> "persistent waits";
      case TIMER -> "timers";
      case PRUNE -> "prunings of history";
    };
  }

  static String describe(@Nullable Action action) {
    return switch (action) {
      case null -> "nothing";
      case Action.CallActivity a ->
          activity(a.name(), a.input(), a.routing().sessionId(), a.routing().tag());
      case Action.CreateTimer ignored -> "a timer";
      case Action.WaitExternal w -> "a wait for event '" + w.name() + "'";
      case Action.DequeueEvent d -> "a dequeue from '" + d.name() + "'";
      case Action.StartSubOrchestration s -> named("sub-orchestration", s.name(), s.input());
      case Action.StartOrchestrationDetached s ->
          named("detached start of", s.name(), s.input()) + " as '" + s.instance() + "'";
      case Action.PruneHistory ignored -> "a pruning of history";
      case Action.UpdateCustomStatus ignored -> "a custom status update";
      case Action.SetKeyValue s -> "KV set of '" + s.key() + "' to '" + shortened(s.value()) + "'";
      case Action.ClearKeyValue c -> "KV clear of '" + c.key() + "'";
      case Action.ClearKeyValues ignored -> "KV clear of all keys";
    };
  }

  private static String describe(EventKind kind) {
    return switch (kind) {
      case EventKind.ActivityScheduled a -> activity(a.name(), a.input(), a.sessionId(), a.tag());
      case EventKind.TimerCreated ignored -> "a timer";
      case EventKind.ExternalSubscribed w -> "a wait for event '" + w.name() + "'";
      case EventKind.QueueSubscribed d -> "a dequeue from '" + d.name() + "'";
      case EventKind.SubOrchestrationScheduled s -> named("sub-orchestration", s.name(), s.input());
      case EventKind.OrchestrationChained s ->
          named("detached start of", s.name(), s.input()) + " as '" + s.instance() + "'";
      case EventKind.HistoryPruneRequested ignored -> "a pruning of history";
      case EventKind.CustomStatusUpdated ignored -> "a custom status update";
      case EventKind.KeyValueSet s ->
          "KV set of '" + s.key() + "' to '" + shortened(s.value()) + "'";
      case EventKind.KeyValueCleared c -> "KV clear of '" + c.key() + "'";
      case EventKind.KeyValuesCleared ignored -> "KV clear of all keys";
      default -> kind.getClass().getSimpleName();
    };
  }

  private static String activity(
      String name, String input, @Nullable String session, @Nullable String tag) {
    String text = named("activity", name, input);
    text = session == null ? text : text + " on session '" + session + "'";
    return tag == null ? text : text + " with tag '" + tag + "'";
  }

  private static String named(String what, String name, String input) {
    return what + " '" + name + "' with input '" + shortened(input) + "'";
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
