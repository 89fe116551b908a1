package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.LockedWork;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** SESS: how session leases begin, are renewed, end and are swept. */
public abstract class SessionLeaseTck extends SessionSteps {
  private static final Duration BRIEF = Duration.ofMillis(50);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** For subclasses. */
  protected SessionLeaseTck() {}

  @Test
  @DisplayName("TCK-SESS-07 another worker claims a session whose lease is over")
  void claimAfterExpiry() {
    bind("s1", 1, 2);
    serves("A", 1, BRIEF);
    advance(100);
    serves("B", 2);
  }

  @Test
  @DisplayName("TCK-SESS-10 renewing tells how many leases it extended")
  void renewCounts() {
    bind("s1", 1);
    serves("A", 1);
    assertThat(renew("A")).isEqualTo(1);
    bind("s2", 2);
    serves("A", 2);
    assertThat(renew("A")).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-SESS-11 with an idle timeout of zero every session is idle")
  void renewSkipsIdle() {
    bind("s1", 1);
    serves("A", 1);
    assertThat(provider.renewSessionLock(List.of("A"), LEASE, Duration.ZERO)).isZero();
  }

  @Test
  @DisplayName("TCK-SESS-12 an owner without sessions renews none")
  void renewWithoutSessions() {
    assertThat(renew("A")).isZero();
  }

  @Test
  @DisplayName("TCK-SESS-13 cleaning up removes an expired session without activities")
  void cleanupExpired() {
    bind("s1", 1);
    finish(serves("A", 1, BRIEF));
    advance(100);
    assertThat(cleanup()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-SESS-14 cleaning up keeps a session that has activities")
  void cleanupKeepsPending() {
    bind("s1", 1, 2);
    finish(serves("A", 1, BRIEF));
    advance(100);
    assertThat(cleanup()).isZero();
  }

  @Test
  @DisplayName("TCK-SESS-15 cleaning up keeps a session with a valid lease")
  void cleanupKeepsActive() {
    bind("s1", 1);
    finish(serves("A", 1));
    assertThat(cleanup()).isZero();
  }

  @Test
  @DisplayName("TCK-SESS-16 an ack counts as use of the session")
  void ackIsUse() {
    bind("s1", 1);
    LockedWork locked = serves("A", 1);
    advance(250);
    finish(locked);
    assertThat(provider.renewSessionLock(List.of("A"), LEASE, Duration.ofMillis(200))).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-SESS-17 renewing an activity's lock counts as use of the session")
  void renewalIsUse() {
    bind("s1", 1);
    LockedWork locked = serves("A", 1);
    advance(250);
    provider.renewWorkItemLock(locked.lockToken(), LOCK);
    assertThat(provider.renewSessionLock(List.of("A"), LEASE, Duration.ofMillis(200))).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-SESS-22 the next activity goes to whoever takes the session over")
  void takeOver() {
    bind("s1", 1);
    finish(serves("A", 1, BRIEF));
    bind("s1", 2, 3);
    advance(100);
    serves("B", 2);
    nothingFor("A");
    serves("B", 3);
  }

  @Test
  @DisplayName("TCK-SESS-23 a swept session begins anew with the next activity")
  void beginsAnew() {
    bind("s1", 1);
    finish(serves("A", 1, BRIEF));
    advance(100);
    assertThat(cleanup()).isEqualTo(1);
    bind("s1", 2, 3);
    serves("B", 2);
    nothingFor("A");
  }

  @Test
  @DisplayName("TCK-SESS-24 an abandoned activity of a session comes back to its owner")
  void abandoned() {
    bind("s1", 1);
    provider.abandonWorkItem(serves("A", 1).lockToken(), Duration.ZERO, false);
    LockedWork again = serves("A", 1);
    assertThat(again.attemptCount()).isEqualTo(2);
    finish(again);
    nothingFor("A");
  }

  @Test
  @DisplayName("TCK-SESS-25 an abandoned attempt that does not count is taken back")
  void abandonedWithoutCounting() {
    bind("s1", 1);
    provider.abandonWorkItem(serves("A", 1).lockToken(), Duration.ofMillis(1), true);
    advance(50);
    assertThat(serves("A", 1).attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-SESS-26 an expired lease cannot be renewed")
  void renewExpired() {
    bind("s1", 1);
    serves("A", 1, BRIEF);
    advance(100);
    assertThat(renew("A")).isZero();
  }

  @Test
  @DisplayName("TCK-SESS-27 the former owner may claim its expired session again")
  void reclaim() {
    bind("s1", 1);
    finish(serves("A", 1, BRIEF));
    advance(100);
    bind("s1", 2, 3);
    serves("A", 2);
    nothingFor("B");
  }

  @Test
  @DisplayName("TCK-SESS-28 an activity whose lock expired goes to the owner of the session")
  void itemLockExpires() {
    bind("s1", 1);
    present(wfetch(provider, as("A", Duration.ofMillis(500), LEASE)));
    advance(600);
    nothingFor("B");
    assertThat(serves("A", 1).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-SESS-29 a released activity goes to the new owner of the session")
  void newOwnerGetsRedelivery() {
    bind("s1", 1);
    LockedWork first = serves("A", 1, Duration.ofMillis(200));
    advance(300);
    bind("s1", 2);
    serves("B", 2);
    provider.abandonWorkItem(first.lockToken(), Duration.ZERO, false);
    nothingFor("A");
    assertThat(serves("B", 1).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-SESS-30 the same worker regains its session with the next activity")
  void regains() {
    bind("s1", 1);
    serves("A", 1, BRIEF);
    advance(100);
    bind("s1", 2, 3);
    serves("A", 2);
    nothingFor("B");
    assertThat(renew("A")).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-SESS-31 when lock and lease are over anyone gets the activity")
  void bothExpire() {
    bind("s1", 1);
    present(wfetch(provider, as("A", BRIEF, BRIEF)));
    advance(100);
    assertThat(serves("B", 1).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-SESS-32 an ack needs the activity's lock, not the lease")
  void ackWithoutLease() {
    bind("s1", 1);
    LockedWork locked = serves("A", 1, BRIEF);
    advance(100);
    finish(locked);
    nothingFor("A");
  }

  @Test
  @DisplayName("TCK-SESS-33 a renewed lease outlives its first end")
  void renewalExtends() {
    bind("s1", 1);
    serves("A", 1, SECOND);
    advance(600);
    assertThat(provider.renewSessionLock(List.of("A"), SECOND, NEVER_IDLE)).isEqualTo(1);
    bind("s1", 2);
    advance(400);
    nothingFor("B");
    serves("A", 2);
  }

  @Test
  @DisplayName("TCK-SESS-34 renewing two owners at once leaves a third alone")
  void renewSeveralOwners() {
    bind("s1", 1);
    serves("A", 1, SECOND);
    bind("s2", 2);
    serves("B", 2, SECOND);
    bind("s3", 3);
    serves("C", 3, SECOND);
    assertThat(renew("A", "B")).isEqualTo(2);
    advance(1100);
    bind("s1", 4);
    bind("s2", 5);
    bind("s3", 6);
    serves("D", 6);
    nothingFor("D");
    serves("A", 4);
    serves("B", 5);
  }

  @Test
  @DisplayName("TCK-SESS-35 renewing for nobody renews none")
  void renewNobody() {
    bind("s1", 1);
    serves("A", 1);
    assertThat(renew()).isZero();
  }

  @Test
  @DisplayName("TCK-SESS-36 neither renewing nor acking an activity moves the lease")
  void itemsLeaveTheLease() {
    bind("s1", 1, 2);
    LockedWork locked = serves("A", 1, SECOND);
    advance(600);
    provider.renewWorkItemLock(locked.lockToken(), LOCK);
    nothingFor("B");
    finish(locked);
    nothingFor("B");
    advance(500);
    serves("B", 2);
  }

  @Test
  @DisplayName("TCK-SESS-39 an ack after a take-over is accepted and the new owner stays")
  void ackAfterTakeOver() {
    bind("s1", 1, 2);
    LockedWork locked = serves("A", 1, BRIEF);
    advance(100);
    serves("B", 2);
    finish(locked);
    bind("s1", 3);
    nothingFor("A");
    serves("B", 3);
  }

  @Test
  @DisplayName("TCK-SESS-41 every fetch of the owner begins the lease anew")
  void fetchExtends() {
    bind("s1", 1, 2, 3, 4);
    serves("A", 1, SECOND);
    advance(600);
    serves("A", 2, SECOND);
    advance(600);
    nothingFor("B");
    serves("A", 3, SECOND);
    advance(600);
    nothingFor("B");
    advance(500);
    serves("B", 4);
  }

  @Test
  @DisplayName("TCK-SESS-44 cleaning up while an activity is queued strands nothing")
  void cleanupRacesEnqueue() {
    for (int round = 0; round < fixture().rounds(); round++) {
      long id = round + 1L;
      bind("s1", id);
      finish(serves("A", id, BRIEF));
      advance(100);
      race()
          .together(this::cleanup, () -> bind("s1", 1000 + id))
          .forEach(outcome -> assertThat(outcome.succeeded()).isTrue());
      finish(serves("B", 1000 + id, BRIEF));
      advance(100);
    }
  }

  @Test
  @DisplayName("TCK-SESS-46 leases and their renewal keep milliseconds")
  void milliseconds() {
    bind("s1", 1, 2);
    serves("A", 1, Duration.ofMillis(250));
    advance(100);
    nothingFor("B");
    assertThat(provider.renewSessionLock(List.of("A"), Duration.ofMillis(300), NEVER_IDLE))
        .isEqualTo(1);
    advance(150);
    nothingFor("B");
    advance(300);
    serves("B", 2);
  }
}
