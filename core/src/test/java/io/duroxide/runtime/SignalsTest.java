package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.MetricsSnapshot;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.StoreTrouble;
import io.duroxide.telemetry.TelemetryEvent;
import io.duroxide.telemetry.TelemetryListener;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SignalsTest {
  private static final ActivityKey KEY = new ActivityKey("order-7", 1, 2);

  private final List<TelemetryEvent> told = new ArrayList<>();
  private final Signals signals = signals(told::add);

  private static Signals signals(TelemetryListener... listeners) {
    return signals(() -> Turns.NOON, listeners);
  }

  private static Signals signals(InstantSource clock, TelemetryListener... listeners) {
    RuntimeOptions.Builder options = RuntimeOptions.builder();
    for (TelemetryListener listener : listeners) {
      options.telemetry(listener);
    }
    return new Signals(options.build(), "node", new SystemTime(), clock);
  }

  private static LockedWork work(String token) {
    WorkItem.ActivityExecute item =
        new WorkItem.ActivityExecute(
            KEY, "Charge", "42", ActivityRouting.ANYWHERE, new ActivityOrigin("Order", "1.0.0"));
    return new LockedWork(KEY, item, null, token, 1);
  }

  private static WorkItem failed(ErrorDetails details) {
    return new WorkItem.ActivityFailed("order-7", 1, 2, details);
  }

  private static void finish(Signals signals, ActivityOutcome outcome) {
    LockedWork work = work(outcome.name());
    signals.activityBegins(work);
    signals.activityFinished(work, outcome, null);
  }

  @Test
  @DisplayName("E2E-766 every outcome of an activity has a counter, whether or not anyone listens")
  void outcomes() {
    Signals unheard = signals();
    for (ActivityOutcome outcome : ActivityOutcome.values()) {
      finish(unheard, outcome);
      finish(signals, outcome);
    }

    assertThat(unheard.snapshot()).isEqualTo(signals.snapshot());
    assertThat(unheard.snapshot().activities())
        .isEqualTo(new MetricsSnapshot.Activities(1, 1, 1, 1, 1, 1, 1));
    assertThat(unheard.listening()).isFalse();
    assertThat(told).hasSize(ActivityOutcome.values().length);
  }

  @Test
  @DisplayName("E2E-766 what was reported decides: success, failure or poison")
  void reported() {
    LockedWork good = work("good");
    signals.activityBegins(good);
    signals.activityReported(good, new WorkItem.ActivityCompleted("order-7", 1, 2, "ok"));
    LockedWork poisoned = work("poisoned");
    signals.activityBegins(poisoned);
    signals.activityReported(
        poisoned,
        failed(
            new ErrorDetails.Poison(
                11, 10, new PoisonSubject.Activity("order-7", 1, "Charge", 2), "")));

    assertThat(signals.snapshot().activities().success()).isEqualTo(1);
    assertThat(signals.snapshot().activities().poison()).isEqualTo(1);
    assertThat(signals.watch().poison().times()).isEqualTo(1);
  }

  @Test
  @DisplayName("an activity is finished once, whatever is said of it later")
  void once() {
    LockedWork work = work("a");
    signals.activityBegins(work);
    signals.handlerCalled(work);
    signals.handlerReturned(work);
    signals.activityFinished(work, ActivityOutcome.CANCELLED, null);
    signals.activityReported(work, new WorkItem.ActivityCompleted("order-7", 1, 2, "late"));

    assertThat(told)
        .hasExactlyElementsOfTypes(ActivityEvent.Started.class, ActivityEvent.Finished.class);
    assertThat(((ActivityEvent.Finished) told.getLast()).timing().ran()).isNotNull();
    assertThat(signals.activitiesInProgress()).isZero();
    assertThat(signals.snapshot().activities().success()).isZero();
  }

  @Test
  @DisplayName("a handler left behind is counted until it ends, in whichever order that is noticed")
  void zombies() {
    LockedWork left = work("left");
    signals.activityBegins(left);
    signals.handlerCalled(left);
    signals.handlerLeft(left);
    assertThat(signals.zombies()).isEqualTo(1);
    assertThat(signals.activitiesInProgress()).isZero();
    signals.handlerReturned(left);
    assertThat(signals.zombies()).isZero();

    LockedWork early = work("early");
    signals.activityBegins(early);
    signals.handlerCalled(early);
    signals.handlerReturned(early);
    signals.handlerLeft(early);
    assertThat(signals.zombies()).isZero();
  }

  @Test
  @DisplayName("a listener that throws harms neither the runtime nor other listeners")
  void throwing() {
    List<TelemetryEvent> others = new ArrayList<>();
    Signals both =
        signals(
            event -> {
              throw new StackOverflowError("too deep");
            },
            others::add);

    both.fetched(WorkQueue.WORKER, 3);
    finish(both, ActivityOutcome.SUCCESS);

    assertThat(others).hasSize(2);
    assertThat(both.snapshot().dispatched().activities()).isEqualTo(3);
  }

  @Test
  @DisplayName("a store's clock that fails keeps an event back, not the work")
  void clockFails() {
    List<TelemetryEvent> heard = new ArrayList<>();
    Signals timeless =
        signals(
            () -> {
              throw new ProviderException(
                  ProviderException.Kind.UNAVAILABLE, "now", "connection refused");
            },
            heard::add);

    finish(timeless, ActivityOutcome.SUCCESS);

    assertThat(heard).isEmpty();
    assertThat(timeless.snapshot().activities().success()).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-766 troubles of the store are classified by kind, never by text")
  void troubles() {
    for (ProviderException.Kind kind : ProviderException.Kind.values()) {
      signals.fetchFailed(
          WorkQueue.ORCHESTRATOR, new ProviderException(kind, "fetch", "deadlock timeout"));
    }
    signals.fetchFailed(WorkQueue.ORCHESTRATOR, new IllegalStateException("connection"));

    assertThat(told)
        .extracting(event -> ((NodeEvent.FetchFailed) event).trouble())
        .filteredOn(trouble -> trouble != StoreTrouble.OTHER)
        .containsExactly(
            StoreTrouble.LOCK_LOST,
            StoreTrouble.UNAVAILABLE,
            StoreTrouble.TIMEOUT,
            StoreTrouble.CONTENTION);
    assertThat(signals.snapshot().storeErrors())
        .isEqualTo(ProviderException.Kind.values().length + 1);
  }

  @Test
  @DisplayName(
      "a lock lost at a commit or for want of renewals is remembered; a cancellation is not")
  void locks() {
    ProviderException lost =
        new ProviderException(ProviderException.Kind.LOCK_LOST, "renew", "gone");
    ProviderException down =
        new ProviderException(ProviderException.Kind.UNAVAILABLE, "renew", "down");
    signals.renewalFailed(NodeEvent.LockKind.ACTIVITY, lost, true);
    signals.renewalFailed(NodeEvent.LockKind.ACTIVITY, down, false);
    assertThat(signals.watch().lostLocks().times()).isZero();

    signals.renewalFailed(NodeEvent.LockKind.ACTIVITY, down, true);
    signals.commitFailed(lost);
    assertThat(signals.watch().lostLocks().times()).isEqualTo(2);
    assertThat(signals.snapshot().storeErrors()).isZero();
  }

  @Test
  @DisplayName("E2E-767 nobody listens by default, and the store is counted every minute")
  void defaults() {
    assertThat(RuntimeOptions.defaults().telemetry()).isEmpty();
    assertThat(RuntimeOptions.defaults().gaugeInterval()).isEqualTo(Duration.ofMinutes(1));
  }
}
