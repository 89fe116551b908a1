package io.duroxide.cli;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Retention;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event in words.
 *
 * @param name whom it concerns: an activity, an event, a key; may be empty
 * @param payload what it carries; may be empty
 */
record EventText(String name, String payload) {

  static EventText of(EventKind kind) {
    return switch (kind) {
      case EventKind.Lifecycle lifecycle -> of(lifecycle);
      case EventKind.Schedule schedule -> of(schedule);
      case EventKind.Passive passive -> of(passive);
      case EventKind.Completion completion -> new EventText("", outcome(completion));
      case EventKind.Arrival arrival -> of(arrival);
      case EventKind.Decision decision -> new EventText("", decision.reason());
      case EventKind.Terminal terminal -> new EventText("", end(terminal));
    };
  }

  private static EventText of(EventKind.Lifecycle kind) {
    return switch (kind) {
      case EventKind.OrchestrationStarted e ->
          new EventText(e.name() + " " + e.version(), e.input());
      case EventKind.OrchestrationCancelRequested e -> new EventText("", e.reason());
    };
  }

  private static EventText of(EventKind.Schedule kind) {
    return switch (kind) {
      case EventKind.ActivityScheduled e ->
          new EventText(e.tag() == null ? e.name() : e.name() + " @" + e.tag(), e.input());
      case EventKind.TimerCreated e -> new EventText("", "until " + Shown.instant(e.fireAt()));
      case EventKind.ExternalSubscribed e -> new EventText(e.name(), "");
      case EventKind.QueueSubscribed e -> new EventText(e.name(), "");
      case EventKind.SubOrchestrationScheduled e ->
          new EventText(e.name(), e.instance() + " " + e.input());
      case EventKind.HistoryPruneRequested e -> new EventText("", kept(e.retention()));
    };
  }

  private static String kept(Retention retention) {
    Integer count = retention.keepLast();
    Duration age = retention.maxAge();
    String counted = count == null ? "" : "keep last " + count;
    String aged = age == null ? "" : "keep for " + age;
    return counted.isEmpty() || aged.isEmpty() ? counted + aged : counted + ", " + aged;
  }

  private static EventText of(EventKind.Passive kind) {
    return switch (kind) {
      case EventKind.OrchestrationChained e ->
          new EventText(e.name(), e.instance() + " " + e.input());
      case EventKind.CustomStatusUpdated e ->
          new EventText("", Objects.requireNonNullElse(e.status(), "(cleared)"));
      case EventKind.KeyValueSet e -> new EventText(e.key(), e.value());
      case EventKind.KeyValueCleared e -> new EventText(e.key(), "");
      case EventKind.KeyValuesCleared ignored -> new EventText("", "");
    };
  }

  private static EventText of(EventKind.Arrival kind) {
    return switch (kind) {
      case EventKind.ExternalEvent e -> new EventText(e.name(), e.data());
      case EventKind.QueueEventDelivered e -> new EventText(e.name(), e.data());
    };
  }

  private static String outcome(EventKind.Completion kind) {
    return switch (kind) {
      case EventKind.ActivityCompleted e -> e.result();
      case EventKind.ActivityFailed e -> e.details().displayMessage();
      case EventKind.TimerFired ignored -> "";
      case EventKind.SubOrchestrationCompleted e -> e.result();
      case EventKind.SubOrchestrationFailed e -> e.details().displayMessage();
      case EventKind.HistoryPruned e ->
          e.error() == null ? e.executionsDeleted() + " executions deleted" : e.error();
    };
  }

  /** The run of an activity that an event tells of; null if it tells of none. */
  static @Nullable ActivityAttempt attempt(EventKind kind) {
    if (kind instanceof EventKind.ActivityCompleted completed) {
      return completed.attempt();
    }
    return kind instanceof EventKind.ActivityFailed failed ? failed.attempt() : null;
  }

  private static String end(EventKind.Terminal kind) {
    return switch (kind) {
      case EventKind.OrchestrationCompleted e -> e.output();
      case EventKind.OrchestrationFailed e -> e.details().displayMessage();
      case EventKind.OrchestrationContinuedAsNew e -> e.input();
    };
  }

  /** Good, bad or neither. */
  static Ink ink(Event event) {
    return switch (event.kind()) {
      case EventKind.ActivityFailed ignored -> Ink.RED;
      case EventKind.SubOrchestrationFailed ignored -> Ink.RED;
      case EventKind.OrchestrationFailed ignored -> Ink.RED;
      case EventKind.OrchestrationCompleted ignored -> Ink.GREEN;
      case EventKind.Completion ignored -> Ink.GREEN;
      case EventKind.Arrival ignored -> Ink.CYAN;
      case EventKind.Decision ignored -> Ink.DIM;
      case EventKind.Lifecycle ignored -> Ink.PLAIN;
      case EventKind.Schedule ignored -> Ink.PLAIN;
      case EventKind.Passive ignored -> Ink.PLAIN;
      case EventKind.Terminal ignored -> Ink.PLAIN;
    };
  }
}
