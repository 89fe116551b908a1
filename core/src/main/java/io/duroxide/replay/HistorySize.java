package io.duroxide.replay;

import io.duroxide.api.Limits;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much the history of one execution holds; payload is counted only where it is limited. */
final class HistorySize {
  private final Limits limits;
  private long bytes;

  HistorySize(Limits limits) {
    this.limits = limits;
  }

  /** Counts events that are recorded. */
  void add(List<Event> recorded) {
    if (isPayloadLimited()) {
      bytes += payload(recorded);
    }
  }

  /** Counts the events of a turn that is about to be committed. */
  void add(Recording turn) {
    if (isPayloadLimited()) {
      bytes += payload(turn.events());
    }
  }

  private boolean isPayloadLimited() {
    return limits.historyBytes() < Long.MAX_VALUE;
  }

  /** Why the execution may not go on after this turn; null if it may. */
  @Nullable LimitExcess violation(Recording turn) {
    long events = turn.nextId() - 1;
    if (events > limits.historyEvents()) {
      return new LimitExcess(
          "History event count (%d) exceeds limit (%d); continue as new before that"
              .formatted(events, limits.historyEvents()),
          events,
          limits.historyEvents());
    }
    if (!isPayloadLimited()) {
      return null;
    }
    long size = bytes + payload(turn.events());
    return size <= limits.historyBytes()
        ? null
        : new LimitExcess(
            "History size (%d bytes) exceeds limit (%d bytes); continue as new before that"
                .formatted(size, limits.historyBytes()),
            size,
            limits.historyBytes());
  }

  private static long payload(List<Event> events) {
    long sum = 0;
    for (Event event : events) {
      sum += payload(event.kind());
    }
    return sum;
  }

  private static long payload(EventKind kind) {
    return switch (kind) {
      case EventKind.Lifecycle e -> lifecycle(e);
      case EventKind.Schedule e -> schedule(e);
      case EventKind.Passive e -> passive(e);
      case EventKind.Completion e -> completion(e);
      case EventKind.ExternalEvent e -> size(e.data());
      case EventKind.QueueEventDelivered e -> size(e.data());
      case EventKind.Decision e -> 0;
      case EventKind.Terminal e -> 0;
    };
  }

  private static long lifecycle(EventKind.Lifecycle kind) {
    return switch (kind) {
      case EventKind.OrchestrationStarted e -> {
        long sum = size(e.input());
        for (CarriedEvent carried : e.inheritance().messages()) {
          sum += size(carried.data());
        }
        yield sum;
      }
      case EventKind.OrchestrationCancelRequested e -> 0;
    };
  }

  private static long schedule(EventKind.Schedule kind) {
    return switch (kind) {
      case EventKind.ActivityScheduled e -> size(e.input());
      case EventKind.SubOrchestrationScheduled e -> size(e.input());
      case EventKind.TimerCreated e -> 0;
      case EventKind.ExternalSubscribed e -> 0;
      case EventKind.QueueSubscribed e -> 0;
      case EventKind.HistoryPruneRequested e -> 0;
    };
  }

  private static long passive(EventKind.Passive kind) {
    return switch (kind) {
      case EventKind.OrchestrationChained e -> size(e.input());
      case EventKind.CustomStatusUpdated e -> e.status() == null ? 0 : size(e.status());
      case EventKind.KeyValueSet e -> size(e.value());
      case EventKind.KeyValueCleared e -> 0;
      case EventKind.KeyValuesCleared e -> 0;
    };
  }

  private static long completion(EventKind.Completion kind) {
    return switch (kind) {
      case EventKind.ActivityCompleted e -> size(e.result());
      case EventKind.ActivityFailed e -> size(e.details().displayMessage());
      case EventKind.SubOrchestrationCompleted e -> size(e.result());
      case EventKind.SubOrchestrationFailed e -> size(e.details().displayMessage());
      case EventKind.TimerFired e -> 0;
      case EventKind.HistoryPruned e -> 0;
    };
  }

  private static long size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
