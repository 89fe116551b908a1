package io.duroxide.replay;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;

/** What is recorded for an action. */
final class NewEvents {
  private NewEvents() {}

  static EventKind of(Action action, ExecutionKey execution, long id) {
    return switch (action) {
      case Action.CallActivity a ->
          new EventKind.ActivityScheduled(
              a.name(), a.input(), a.routing().sessionId(), a.routing().tag());
      case Action.CreateTimer t -> new EventKind.TimerCreated(t.fireAt());
      case Action.WaitExternal w -> new EventKind.ExternalSubscribed(w.name());
      case Action.DequeueEvent d -> new EventKind.QueueSubscribed(d.name());
      case Action.StartSubOrchestration s -> {
        String explicit = s.instance();
        yield new EventKind.SubOrchestrationScheduled(
            s.name(), explicit == null ? ChildIds.suffix(execution, id) : explicit, s.input());
      }
      case Action.PruneHistory p -> new EventKind.HistoryPruneRequested(p.retention());
      case Action.StartOrchestrationDetached s ->
          new EventKind.OrchestrationChained(s.name(), s.instance(), s.input());
      case Action.UpdateCustomStatus s -> new EventKind.CustomStatusUpdated(s.status());
      case Action.SetKeyValue s -> new EventKind.KeyValueSet(s.key(), s.value(), s.stamp());
      case Action.ClearKeyValue c -> new EventKind.KeyValueCleared(c.key());
      case Action.ClearKeyValues ignored -> new EventKind.KeyValuesCleared();
    };
  }
}
