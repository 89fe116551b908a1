package io.duroxide.replay;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** How many bytes of payload events hold. */
enum PayloadSize {
  /** In UTF-8. */
  EXACT,
  /** Not more than this, and quick to tell. */
  AT_MOST;

  /** A char never needs more in UTF-8. */
  private static final long MOST_BYTES = 3;

  long of(List<Event> events) {
    long sum = 0;
    for (Event event : events) {
      sum += of(event.kind());
    }
    return sum;
  }

  private long of(EventKind kind) {
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

  private long lifecycle(EventKind.Lifecycle kind) {
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

  private long schedule(EventKind.Schedule kind) {
    return switch (kind) {
      case EventKind.ActivityScheduled e -> size(e.input());
      case EventKind.SubOrchestrationScheduled e -> size(e.input());
      case EventKind.TimerCreated e -> 0;
      case EventKind.ExternalSubscribed e -> 0;
      case EventKind.QueueSubscribed e -> 0;
      case EventKind.HistoryPruneRequested e -> 0;
    };
  }

  private long passive(EventKind.Passive kind) {
    return switch (kind) {
      case EventKind.OrchestrationChained e -> size(e.input());
      case EventKind.CustomStatusUpdated e -> e.status() == null ? 0 : size(e.status());
      case EventKind.KeyValueSet e -> size(e.value());
      case EventKind.KeyValueCleared e -> 0;
      case EventKind.KeyValuesCleared e -> 0;
    };
  }

  private long completion(EventKind.Completion kind) {
    return switch (kind) {
      case EventKind.ActivityCompleted e -> size(e.result());
      case EventKind.ActivityFailed e -> size(e.details().displayMessage());
      case EventKind.SubOrchestrationCompleted e -> size(e.result());
      case EventKind.SubOrchestrationFailed e -> size(e.details().displayMessage());
      case EventKind.TimerFired e -> 0;
      case EventKind.HistoryPruned e -> 0;
    };
  }

  long size(String text) {
    return this == AT_MOST
        ? text.length() * MOST_BYTES
        : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
