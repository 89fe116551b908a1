package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** EXP: locks expire when they should, and renewing moves that (5, 7.5, 7.9). */
public abstract class LockExpiryTck extends ProviderTck {
  /** For subclasses. */
  protected LockExpiryTck() {}

  @Test
  @DisplayName("TCK-EXP-01 a lock expires after its timeout and its token with it")
  void expires() {
    start("x");
    LockedOrchestration first = fetched(timeout());
    nothingToFetch();

    letLocksExpire();

    assertThat(fetched("x").lockToken()).isNotEqualTo(first.lockToken());
    lost(() -> ack(first, firstTurn("x")));
  }

  @Test
  @DisplayName("TCK-EXP-03 an ack frees the instance at once")
  void ackFrees() {
    start("x");
    LockedOrchestration locked = fetched("x");
    poke("x");
    nothingToFetch();

    ack(locked, firstTurn("x"));

    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-04 fetchers before the expiry all go empty")
  void attemptsBeforeExpiry() {
    start("x");
    fetched(timeout());
    List<Future<Optional<LockedOrchestration>>> early = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      early.add(
          race()
              .start(() ->
                  provider.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO))));
      advance(timeout(0.05));
    }
    assertThat(early).allMatch(future -> Race.outcome(future).get().isEmpty());

    letLocksExpire();

    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-05 a renewed activity stays locked")
  void renewWork() {
    act("x", 2);
    LockedWork locked = work(2);
    advance(100);

    provider.renewWorkItemLock(locked.lockToken(), LOCK);

    noWork();
  }

  @Test
  @DisplayName("TCK-EXP-06 renewing an activity with an unknown token is refused")
  void renewUnknownWork() {
    lost(() -> provider.renewWorkItemLock(NO_TOKEN, LOCK));
  }

  @Test
  @DisplayName("TCK-EXP-07 an expired activity lock cannot be renewed")
  void renewExpiredWork() {
    act("x", 2);
    LockedWork locked = work(Duration.ofSeconds(1));
    advance(1100);

    lost(() -> provider.renewWorkItemLock(locked.lockToken(), LOCK));

    work(2);
  }

  @Test
  @DisplayName("TCK-EXP-08 renewing an activity outlasts the first timeout")
  void renewExtendsWork() {
    act("x", 2);
    LockedWork locked = work(timeout());
    advance(timeout(0.6));

    provider.renewWorkItemLock(locked.lockToken(), timeout());

    advance(timeout(0.4).plusMillis(50));
    noWork();
    provider.ackWorkItem(locked.lockToken(), null);
  }

  @Test
  @DisplayName("TCK-EXP-09 an acked activity cannot be renewed")
  void renewAckedWork() {
    act("x", 2);
    LockedWork locked = work(2);
    provider.ackWorkItem(locked.lockToken(), null);

    lost(() -> provider.renewWorkItemLock(locked.lockToken(), LOCK));
  }

  @Test
  @DisplayName("TCK-EXP-12 an activity cannot be acked after its lock expired, and stays")
  void ackExpiredWork() {
    act("x", 2);
    LockedWork locked = work(Duration.ofSeconds(1));
    advance(1200);

    lost(() -> provider.ackWorkItem(locked.lockToken(), Items.completed("x", 2)));

    nothingToFetch();
    work(2);
  }

  @Test
  @DisplayName("TCK-EXP-13 an expired instance lock cannot be renewed")
  void renewExpired() {
    start("x");
    LockedOrchestration locked = fetched(timeout());
    letLocksExpire();

    lost(() -> provider.renewOrchestrationItemLock(locked.lockToken(), LOCK));

    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-14 renewing an instance lock outlasts the first timeout")
  void renewExtends() {
    start("x");
    LockedOrchestration locked = fetched(timeout());
    advance(timeout(0.6));

    provider.renewOrchestrationItemLock(locked.lockToken(), timeout());

    advance(timeout(0.6));
    nothingToFetch();
    ack(locked, firstTurn("x"));
  }

  @Test
  @DisplayName("TCK-EXP-15 an acked or abandoned turn cannot be renewed")
  void renewReleased() {
    start("x");
    LockedOrchestration abandoned = fetched("x");
    provider.abandonOrchestrationItem(abandoned.lockToken(), Duration.ZERO, false);
    lost(() -> provider.renewOrchestrationItemLock(abandoned.lockToken(), LOCK));

    LockedOrchestration acked = fetched("x");
    ack(acked, firstTurn("x"));
    lost(() -> provider.renewOrchestrationItemLock(acked.lockToken(), LOCK));
  }

  @Test
  @DisplayName("TCK-EXP-16 an instance lock is renewed to the millisecond")
  void precision() {
    start("x");
    LockedOrchestration locked = fetched("x");

    provider.renewOrchestrationItemLock(locked.lockToken(), Duration.ofMillis(300));

    advance(150);
    nothingToFetch();
    advance(300);
    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-17 an activity lock is taken and renewed to the millisecond")
  void workPrecision() {
    act("x", 2);
    work(Duration.ofMillis(250));
    advance(125);
    noWork();
    advance(250);

    LockedWork renewed = work(2);
    provider.renewWorkItemLock(renewed.lockToken(), Duration.ofMillis(300));
    advance(150);
    noWork();
    advance(300);
    work(2);
  }

  @Test
  @DisplayName("TCK-EXP-18 a lock that is renewed in time is never lost")
  void keptAlive() {
    start("x");
    act("x", 2);
    LockedOrchestration turn = fetched(timeout());
    LockedWork activity = work(timeout());
    for (int i = 0; i < 10; i++) {
      advance(timeout(0.5));
      nothingToFetch();
      noWork();
      provider.renewOrchestrationItemLock(turn.lockToken(), timeout());
      provider.renewWorkItemLock(activity.lockToken(), timeout());
    }

    letLocksExpire();

    fetched("x");
    work(2);
  }

  @Test
  @DisplayName("TCK-EXP-19 renewals do not add up")
  void notCumulative() {
    start("x");
    act("x", 2);
    LockedOrchestration turn = fetched(timeout());
    LockedWork activity = work(timeout());
    for (int i = 0; i < 2; i++) {
      provider.renewOrchestrationItemLock(turn.lockToken(), timeout());
      provider.renewWorkItemLock(activity.lockToken(), timeout());
    }

    advance(timeout(0.5));
    nothingToFetch();
    noWork();
    advance(timeout(0.5).plus(SLACK));
    fetched("x");
    work(2);
  }
}
