package io.duroxide.runtime;

import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.MetricsSnapshot;
import io.duroxide.telemetry.WorkQueue;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one runtime, which count whether or not anyone listens. Thread-safe. */
final class Counters {
  private final LongAdder starts = new LongAdder();
  private final LongAdder childCalls = new LongAdder();
  private final LongAdder storeErrors = new LongAdder();
  private final LongAdder turnsInVain = new LongAdder();
  private final Counts<Ending> endings = new Counts<>(Ending.class);
  private final Counts<Failure.Kind> failures = new Counts<>(Failure.Kind.class);
  private final Counts<ActivityOutcome> activities = new Counts<>(ActivityOutcome.class);
  private final Counts<WorkQueue> fetched = new Counts<>(WorkQueue.class);

  /** A counter for each constant. */
  private static final class Counts<E extends Enum<E>> {
    private final Map<E, LongAdder> counts;

    Counts(Class<E> type) {
      this.counts = new EnumMap<>(type);
      for (E constant : type.getEnumConstants()) {
        counts.put(constant, new LongAdder());
      }
    }

    void add(E which, long more) {
      of(which).add(more);
    }

    long sum(E which) {
      return of(which).sum();
    }

    private LongAdder of(E which) {
      return Objects.requireNonNull(counts.get(which));
    }
  }

  void started() {
    starts.increment();
  }

  void ended(Ending ending) {
    endings.add(ending, 1);
  }

  void failed(Failure.Kind kind) {
    failures.add(kind, 1);
  }

  void childCalls(int calls) {
    childCalls.add(calls);
  }

  void activity(ActivityOutcome outcome) {
    activities.add(outcome, 1);
  }

  void fetched(WorkQueue queue, int items) {
    fetched.add(queue, items);
  }

  void storeError() {
    storeErrors.increment();
  }

  void turnInVain() {
    turnsInVain.increment();
  }

  MetricsSnapshot snapshot() {
    MetricsSnapshot.Failures failed =
        new MetricsSnapshot.Failures(
            failures.sum(Failure.Kind.APPLICATION),
            failures.sum(Failure.Kind.INFRASTRUCTURE),
            failures.sum(Failure.Kind.CONFIGURATION),
            failures.sum(Failure.Kind.POISON),
            failures.sum(Failure.Kind.CANCELLED),
            failures.sum(Failure.Kind.LIMIT));
    return new MetricsSnapshot(
        new MetricsSnapshot.Orchestrations(
            starts.sum(),
            endings.sum(Ending.COMPLETED),
            endings.sum(Ending.CONTINUED_AS_NEW),
            childCalls.sum(),
            failed),
        new MetricsSnapshot.Activities(
            activities.sum(ActivityOutcome.SUCCESS),
            activities.sum(ActivityOutcome.APPLICATION_ERROR),
            activities.sum(ActivityOutcome.INFRASTRUCTURE_ERROR),
            activities.sum(ActivityOutcome.CONFIGURATION_ERROR),
            activities.sum(ActivityOutcome.CANCELLED),
            activities.sum(ActivityOutcome.POISON),
            activities.sum(ActivityOutcome.HANDED_OVER)),
        new MetricsSnapshot.Dispatched(
            fetched.sum(WorkQueue.ORCHESTRATOR), fetched.sum(WorkQueue.WORKER)),
        storeErrors.sum(),
        turnsInVain.sum());
  }
}
