package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE and LOCK: the store's clock is set back. */
@Needs.ClockStep
public abstract class ClockStepTck extends SessionSteps {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final OrchestrationFetch HOLDING =
      OrchestrationFetch.of(LOCK, Duration.ZERO).withOrphans(OrphanQueuePolicy.HOLD);

  /** For subclasses. */
  protected ClockStepTck() {}

  /** The step, and the store's next look at its clock. */
  private void setBack(Duration by) {
    provider.lookAtClock();
    fixture().setClockBack(by);
    provider.lookAtClock();
  }

  private static WorkItem message(String data) {
    return Items.raised("x", data);
  }

  private void setTimer(WorkItem timer) {
    poke("x");
    ack(fetched("x"), TurnCommit.nothing(1).withOrchestratorItems(List.of(timer)));
  }

  @Test
  @DisplayName("TCK-QUEUE-69 what was visible before a step of 3 s is so after it")
  void staysVisible() {
    staysVisible(Duration.ofSeconds(3));
  }

  @Test
  @DisplayName("TCK-QUEUE-69 what was visible before a step of 1 h is so after it")
  void staysVisibleForLong() {
    staysVisible(HOUR);
  }

  private void staysVisible(Duration back) {
    create("x");
    enqueue(message("before"));
    start("y");
    act("x", 2);

    setBack(back);

    assertThat(messages(fetched("x"))).containsExactly(message("before"));
    fetched("y");
    work(2);
  }

  @Test
  @DisplayName("TCK-QUEUE-69 messages sent before and after the step keep their order")
  void keepsOrder() {
    create("x");
    enqueue(message("1"));
    advance(10);
    enqueue(message("2"));
    setBack(HOUR);
    enqueue(message("3"));
    advance(10);
    enqueue(message("4"));

    assertThat(messages(fetched("x")))
        .containsExactly(message("1"), message("2"), message("3"), message("4"));
  }

  @Test
  @Needs.Durable
  @DisplayName("TCK-QUEUE-69 the same if the store is opened anew after the step")
  void overReopening() {
    create("x");
    enqueue(message("1"));
    act("x", 2);
    fixture().setClockBack(HOUR);
    reopen();
    provider.lookAtClock();
    enqueue(message("2"));

    assertThat(messages(fetched("x"))).containsExactly(message("1"), message("2"));
    work(2);
  }

  @Test
  @DisplayName("TCK-QUEUE-69 places in the ready line stay")
  void keepsLine() {
    start("first");
    advance(10);
    start("second");
    setBack(HOUR);
    start("third");

    fetched("first");
    fetched("second");
    fetched("third");
  }

  @Test
  @DisplayName("TCK-QUEUE-69 what came in time, or late, before the step is so after it")
  void inTime() {
    create("x");
    Instant began = provider.now();
    WorkItem timer = Items.timer("x", 2, began.plusSeconds(60));
    setTimer(timer);
    advance(Duration.ofSeconds(30));
    enqueue(message("in time"));
    advance(Duration.ofSeconds(60));
    enqueue(message("late"));

    setBack(HOUR);
    enqueue(message("later"));

    assertThat(messages(fetched("x")))
        .containsExactly(message("in time"), timer, message("late"), message("later"));
  }

  @Test
  @DisplayName("TCK-QUEUE-69 timers and delayed messages keep their instants and come once")
  void keepsInstants() {
    create("x");
    WorkItem timer = Items.timer("x", 2, provider.now().plusSeconds(20));
    setTimer(timer);
    enqueue(message("delayed"), Duration.ofSeconds(10));

    setBack(HOUR);
    enqueue(message("at once"));
    LockedOrchestration first = fetched("x");
    assertThat(messages(first)).containsExactly(message("at once"));
    drain(first);
    advance(HOUR.plusSeconds(9));
    nothingToFetch();
    advance(Duration.ofSeconds(1));
    LockedOrchestration second = fetched("x");
    assertThat(messages(second)).containsExactly(message("delayed"));
    drain(second);
    advance(Duration.ofSeconds(9));
    nothingToFetch();
    advance(Duration.ofSeconds(1));
    LockedOrchestration third = fetched("x");
    assertThat(messages(third)).containsExactly(timer);
    drain(third);
    advance(HOUR);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-69 a timer made after the step does not come before its instant")
  void laterTimer() {
    create("x");
    setBack(HOUR);
    WorkItem timer = Items.timer("x", 2, provider.now().plusSeconds(60));
    setTimer(timer);

    advance(Duration.ofSeconds(59));
    nothingToFetch();
    advance(Duration.ofSeconds(1));
    assertThat(messages(fetched("x"))).containsExactly(timer);
  }

  @Test
  @DisplayName("TCK-QUEUE-69 messages that wait for a start keep their place before it")
  void setAside() {
    enqueue(Items.message("x", "1"));
    assertThat(fetch(provider, HOLDING)).isEmpty();

    setBack(HOUR);
    enqueue(Items.message("x", "2"));
    start("x");

    assertThat(messages(present(fetch(provider, HOLDING))))
        .containsExactly(Items.message("x", "1"), Items.message("x", "2"), Items.start("x"));
  }

  @Test
  @Needs.OrphanPurge
  @DisplayName("TCK-QUEUE-69 messages that wait for a start grow as old as without the step")
  void orphansAge() {
    enqueue(Items.message("x", "1"));
    assertThat(fetch(provider, HOLDING)).isEmpty();
    advance(Duration.ofSeconds(50));
    setBack(HOUR);

    assertThat(provider.purgeOrphanMessages(Duration.ofSeconds(60))).isZero();
    advance(Duration.ofSeconds(11));
    assertThat(provider.purgeOrphanMessages(Duration.ofSeconds(60))).isEqualTo(1);
  }

  @Test
  @Needs.Faults
  @DisplayName("TCK-QUEUE-69 a step whose handling breaks off is handled by the next operation")
  void broken() {
    for (int statements = 0; statements < 6; statements++) {
      String instance = "x-" + statements;
      start(instance);
      provider.lookAtClock();
      fixture().setClockBack(HOUR);
      fixture().fault(FaultPoint.afterStatements(statements), FaultKind.CONNECTION_LOST);
      try {
        provider.lookAtClock();
      } catch (ProviderException broken) {
        assertThat(broken.retryable()).isTrue();
      }
      fixture().heal();
      provider.lookAtClock();

      LockedOrchestration locked = fetched(instance);
      nothingToFetch();
      ack(locked, firstTurn(instance));
    }
  }

  @Test
  @DisplayName("TCK-LOCK-61 locks are held over the step and end within their length")
  void locks() {
    start("x");
    act("x", 2);
    LockedOrchestration turn = fetched(timeout());
    work(timeout());

    setBack(HOUR);

    nothingToFetch();
    noWork();
    letLocksExpire();
    lost(() -> ack(turn, firstTurn("x")));
    fetched("x");
    work(2);
  }

  @Test
  @DisplayName("TCK-LOCK-61 who holds a lock over the step renews and commits under it")
  void holders() {
    start("x");
    act("x", 2);
    LockedOrchestration turn = fetched(timeout());
    LockedWork activity = work(timeout());

    setBack(HOUR);
    enqueue(message("meanwhile"));
    advance(timeout(0.6));
    provider.renewOrchestrationItemLock(turn.lockToken(), timeout());
    provider.renewWorkItemLock(activity.lockToken(), timeout());
    advance(timeout(0.6));

    ack(turn, firstTurn("x"));
    provider.ackWorkItem(activity.lockToken(), Items.completed("x", 2));
    assertThat(messages(fetched("x")))
        .containsExactly(message("meanwhile"), Items.completed("x", 2));
  }

  @Test
  @DisplayName(
      "TCK-LOCK-61 RL-041 a lock that others saw end is over, whatever the clock shows later")
  void overForGood() {
    start("x");
    act("x", 2);
    LockedOrchestration turn = fetched(timeout());
    LockedWork activity = work(timeout());
    advance(HOUR);
    WorkFetch others = WorkFetch.of(LOCK, Duration.ZERO).withActivityNames(Set.of("Others"));
    assertThat(wfetch(provider, others)).isEmpty();

    setBack(HOUR);

    lost(() -> provider.renewWorkItemLock(activity.lockToken(), LOCK));
    lost(() -> provider.ackWorkItem(activity.lockToken(), Items.completed("x", 2)));
    lost(() -> provider.renewOrchestrationItemLock(turn.lockToken(), LOCK));
    lost(() -> ack(turn, firstTurn("x")));
    work(2);
    fetched("x");
  }

  @Test
  @DisplayName("TCK-LOCK-61 rests and delays end within their length")
  void rests() {
    start("x");
    act("x", 2);
    provider.abandonOrchestrationItem(fetched("x").lockToken(), timeout(), false);
    provider.abandonWorkItem(work(2).lockToken(), timeout(), false);

    setBack(HOUR);

    nothingToFetch();
    noWork();
    letLocksExpire();
    fetched("x");
    work(2);
  }

  @Test
  @DisplayName("TCK-LOCK-61 the lease of a session ends within its length")
  void leases() {
    bind("s", 2, 3);
    finish(serves("one", 2, timeout()));

    setBack(HOUR);

    nothingFor("two");
    letLocksExpire();
    serves("two", 3);
  }

  @Test
  @Needs.Durable
  @DisplayName("TCK-LOCK-61 RL-040 the same for what a process held that is gone")
  void afterKill() {
    start("x");
    start("y");
    act("x", 2);
    bind("s", 3, 4);
    fetched(timeout());
    provider.abandonOrchestrationItem(fetched("y").lockToken(), timeout(), false);
    work(timeout());
    finish(serves("one", 3, timeout()));
    fixture().setClockBack(HOUR);
    reopen();
    provider.lookAtClock();

    letLocksExpire();

    fetched("x");
    fetched("y");
    work(2);
    serves("two", 4);
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-LOCK-61 of two handles that notice the step one moves what is locked")
  void twoHandles() {
    var other = secondHandle();
    start("x");
    fetched(timeout());
    other.lookAtClock();

    setBack(HOUR);
    advance(timeout(0.6));
    other.lookAtClock();

    assertThat(fetch(other, OrchestrationFetch.of(LOCK, Duration.ZERO))).isEmpty();
    nothingToFetch();
    advance(timeout(0.6));
    assertThat(fetch(other, OrchestrationFetch.of(LOCK, Duration.ZERO))).isPresent();
  }

  @Test
  @DisplayName("TCK-LOCK-61 RL-041 a step forward ends locks and lets due timers come in order")
  void forward() {
    create("x");
    Instant began = provider.now();
    WorkItem late = Items.timer("x", 2, began.plusSeconds(120));
    WorkItem early = Items.timer("x", 3, began.plusSeconds(60));
    setTimer(late);
    setTimer(early);
    start("y");
    LockedOrchestration held = fetched("y");

    advance(HOUR);

    lost(() -> ack(held, firstTurn("y")));
    fetched("y");
    LockedOrchestration due = fetched("x");
    assertThat(messages(due)).containsExactly(early, late);
    drain(due);
    nothingToFetch();
  }
}
