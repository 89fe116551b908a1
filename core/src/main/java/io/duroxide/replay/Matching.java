package io.duroxide.replay;

import io.duroxide.model.EventKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether an action of the code is the one that history recorded. */
final class Matching {
  private Matching() {}

  static boolean matches(@Nullable Action action, EventKind.Schedule recorded) {
    return switch (recorded) {
      case EventKind.ActivityScheduled e ->
          action instanceof Action.CallActivity a
              && a.name().equals(e.name())
              && a.input().equals(e.input())
              && Objects.equals(a.routing().sessionId(), e.sessionId())
              && Objects.equals(a.routing().tag(), e.tag());
      case EventKind.TimerCreated ignored -> action instanceof Action.CreateTimer;
      case EventKind.ExternalSubscribed e ->
          action instanceof Action.WaitExternal a && a.name().equals(e.name());
      case EventKind.QueueSubscribed e ->
          action instanceof Action.DequeueEvent a && a.name().equals(e.name());
      case EventKind.HistoryPruneRequested ignored -> action instanceof Action.PruneHistory;
      case EventKind.SubOrchestrationScheduled e ->
          action instanceof Action.StartSubOrchestration a
              && a.name().equals(e.name())
              && a.input().equals(e.input());
    };
  }

  static boolean matches(@Nullable Action action, EventKind.Passive recorded) {
    return switch (recorded) {
      case EventKind.OrchestrationChained e ->
          action instanceof Action.StartOrchestrationDetached a
              && a.name().equals(e.name())
              && a.instance().equals(e.instance())
              && a.input().equals(e.input());
      case EventKind.CustomStatusUpdated ignored -> action instanceof Action.UpdateCustomStatus;
      case EventKind.KeyValueSet e ->
          action instanceof Action.SetKeyValue a
              && a.key().equals(e.key())
              && a.value().equals(e.value());
      case EventKind.KeyValueCleared e ->
          action instanceof Action.ClearKeyValue a && a.key().equals(e.key());
      case EventKind.KeyValuesCleared ignored -> action instanceof Action.ClearKeyValues;
    };
  }

  /** The words by which a mismatch of this kind is known. */
  static String mismatchText(EventKind.Passive recorded, boolean nothingAsked) {
    return switch (recorded) {
      case EventKind.OrchestrationChained ignored ->
          nothingAsked ? "history OrchestrationChained but no emitted action" : "schedule mismatch";
      case EventKind.CustomStatusUpdated ignored -> "custom status mismatch";
      case EventKind.KeyValueSet ignored -> "kv set mismatch";
      case EventKind.KeyValueCleared ignored -> "kv clear mismatch";
      case EventKind.KeyValuesCleared ignored -> "kv clear_all mismatch";
    };
  }
}
