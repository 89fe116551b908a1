package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionCode;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstanceTimes;
import io.duroxide.provider.OrchestrationIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Why an instance does not get on")
class DiagnosisTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant LONG_AGO = NOON.minus(Duration.ofHours(2));
  private static final ExecutionKey KEY = new ExecutionKey("order-1", 1);

  private final List<Event> history = new ArrayList<>();
  private boolean childBegan;

  DiagnosisTest() {
    add(null, new EventKind.OrchestrationStarted("Order", "1.0.0", "", null, Inheritance.NOTHING));
  }

  private void add(Long source, EventKind kind) {
    history.add(
        new Event(KEY, history.size() + 1L, source, new EventStamp(LONG_AGO, "0.1.0"), kind));
  }

  private Optional<Finding> diagnosed(ExecutionStatus status, Instant updated) {
    InstanceInfo info =
        new InstanceInfo(
            KEY,
            new ExecutionCode(new OrchestrationIdentity("Order", "1.0.0"), null),
            status,
            null,
            new CustomStatus(null, 0),
            null,
            new InstanceTimes(LONG_AGO, updated, null));
    return new Diagnosis(NOON, Duration.ofMinutes(5), wait -> childBegan).of(info, history);
  }

  private Optional<Finding.Kind> kind() {
    return diagnosed(ExecutionStatus.RUNNING, LONG_AGO).map(Finding::kind);
  }

  @Test
  @DisplayName("CLI-STUCK nothing outstanding and no turn: no node, or code that blocks")
  void turn() {
    Finding found = diagnosed(ExecutionStatus.RUNNING, LONG_AGO).orElseThrow();
    assertThat(found.kind()).isEqualTo(Finding.Kind.TURN);
    assertThat(found.reason()).contains("took no turn for 2h", "'Order' 1.0.0");
    assertThat(diagnosed(ExecutionStatus.RUNNING, NOON.minusSeconds(60))).isEmpty();
    assertThat(diagnosed(ExecutionStatus.COMPLETED, LONG_AGO)).isEmpty();
  }

  @Test
  @DisplayName("CLI-STUCK between two executions, and the next does not begin")
  void between() {
    add(null, new EventKind.OrchestrationContinuedAsNew("next"));
    assertThat(diagnosed(ExecutionStatus.CONTINUED_AS_NEW, LONG_AGO).map(Finding::kind))
        .contains(Finding.Kind.TURN);
  }

  @Test
  @DisplayName("CLI-STUCK an overdue timer is a missing turn, a future one is patience")
  void timers() {
    add(null, new EventKind.TimerCreated(NOON.plusSeconds(60)));
    assertThat(kind()).isEmpty();
    add(null, new EventKind.TimerCreated(NOON.minus(Duration.ofHours(1))));
    assertThat(kind()).contains(Finding.Kind.TURN);
    add(3L, new EventKind.TimerFired(NOON));
    assertThat(kind()).isEmpty();
  }

  @Test
  @DisplayName("CLI-STUCK an activity without outcome, until it has one or is given up")
  void activities() {
    add(null, new EventKind.ActivityScheduled("Charge", "", null, "gpu"));
    assertThat(diagnosed(ExecutionStatus.RUNNING, LONG_AGO).orElseThrow().reason())
        .contains("activity 'Charge' with tag 'gpu' was scheduled 2h ago");
    add(null, new EventKind.TimerCreated(NOON.plusSeconds(60)));
    assertThat(kind()).contains(Finding.Kind.ACTIVITY);
    add(2L, new EventKind.ActivityCancelRequested("lost"));
    assertThat(kind()).isEmpty();
  }

  @Test
  @DisplayName("CLI-STUCK a child that did not begin; one that did answers for itself")
  void children() {
    add(null, new EventKind.SubOrchestrationScheduled("Ship", "sub::2", ""));
    assertThat(kind()).contains(Finding.Kind.CHILD);
    childBegan = true;
    assertThat(kind()).isEmpty();
  }

  @Test
  @DisplayName("CLI-STUCK a wait for an event, unless a timer bounds it")
  void events() {
    add(null, new EventKind.ExternalEvent("Approval", "too early"));
    add(null, new EventKind.ExternalSubscribed("Approval"));
    assertThat(kind()).contains(Finding.Kind.MESSAGE);
    add(null, new EventKind.TimerCreated(NOON.plusSeconds(60)));
    assertThat(kind()).isEmpty();
    add(4L, new EventKind.TimerFired(NOON));
    assertThat(kind()).contains(Finding.Kind.MESSAGE);
    add(null, new EventKind.ExternalEvent("Approval", "yes"));
    assertThat(kind()).contains(Finding.Kind.TURN);
  }

  @Test
  @DisplayName("CLI-STUCK mail that came early answers the dequeue, also mail that was carried")
  void mail() {
    history.clear();
    add(
        null,
        new EventKind.OrchestrationStarted(
            "Order",
            "1.0.0",
            "",
            null,
            new Inheritance(List.of(new CarriedEvent("mail", "old")), null, null)));
    add(null, new EventKind.QueueEventDelivered("mail", "early"));
    add(null, new EventKind.QueueSubscribed("mail"));
    add(null, new EventKind.QueueSubscribed("mail"));
    assertThat(kind()).contains(Finding.Kind.TURN);
    add(null, new EventKind.QueueSubscribed("mail"));
    assertThat(kind()).contains(Finding.Kind.MESSAGE);
    add(5L, new EventKind.QueueSubscriptionCancelled("lost"));
    add(null, new EventKind.QueueEventDelivered("mail", "kept"));
    add(null, new EventKind.QueueSubscribed("mail"));
    assertThat(kind()).contains(Finding.Kind.TURN);
  }
}
