package io.duroxide.metrics.micrometer;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.PoisonSubject;
import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.ActivityRef;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.ExecutionRef;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.Initiator;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.TurnEnd;
import java.time.Duration;
import java.time.Instant;

/** Events as a runtime tells them. */
final class Told {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  static final ExecutionRef ORDER = order("Order", "1.0.0");

  static final ErrorDetails APPLICATION =
      new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, "no stock");
  static final ErrorDetails CANCELLED =
      new ErrorDetails.Application(new ApplicationErrorKind.Cancelled("left"), "");
  static final ErrorDetails INFRASTRUCTURE =
      new ErrorDetails.Infrastructure("commitTurn", "disk full", false);
  static final ErrorDetails CONFIGURATION =
      new ErrorDetails.Configuration(ConfigurationErrorKind.NONDETERMINISM, "order-7", "changed");
  static final ErrorDetails POISON =
      new ErrorDetails.Poison(11, 10, new PoisonSubject.Orchestration("order-7", 1), "batch");

  private Told() {}

  static ExecutionRef order(String name, String version) {
    return new ExecutionRef(new ExecutionKey("order-7", 1), name, version, null);
  }

  static ExecutionEvent started(ExecutionRef execution, Initiator initiator) {
    return new ExecutionEvent.Started(execution, initiator, NOON);
  }

  static ExecutionEvent turn(TurnEnd end, ExecutionEvent.TurnWork work) {
    return new ExecutionEvent.TurnFinished(ORDER, end, work, Duration.ofMillis(3), NOON);
  }

  static ExecutionEvent ended(ExecutionRef execution, Ending ending, Failure failure, int turns) {
    ExecutionEvent.Totals totals =
        new ExecutionEvent.Totals(NOON.minus(Duration.ofSeconds(7)), turns, turns * 3L);
    return new ExecutionEvent.Ended(execution, ending, failure, totals, NOON);
  }

  static ExecutionEvent failed(Failure failure) {
    return ended(ORDER, Ending.FAILED, failure, 2);
  }

  static ActivityRef charge(String tag) {
    return new ActivityRef(
        new ActivityKey("order-7", 1, 2),
        "Charge",
        new ActivityOrigin("Order", "1.0.0"),
        new ActivityRouting(null, tag));
  }

  static ActivityEvent finished(ActivityOutcome outcome, int attempt) {
    return new ActivityEvent.Finished(
        charge(null),
        outcome,
        attempt,
        new ActivityEvent.Timing(Duration.ofMillis(40), Duration.ofMillis(42), NOON),
        null);
  }

  /** A node that always has the same in hand. */
  static NodeVitals vitals(int turns, int zombies) {
    return new NodeVitals() {
      @Override
      public int turnsInProgress() {
        return turns;
      }

      @Override
      public int activitiesInProgress() {
        return turns + 1;
      }

      @Override
      public int keptExecutions() {
        return turns + 2;
      }

      @Override
      public int sessionsInFlight() {
        return turns + 3;
      }

      @Override
      public int sessionsOwned() {
        return turns + 4;
      }

      @Override
      public int zombieActivities() {
        return zombies;
      }
    };
  }
}
