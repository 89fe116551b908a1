package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TagFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** SESS: who gets a session-bound activity while leases are valid. */
public abstract class SessionRoutingTck extends SessionSteps {
  /** For subclasses. */
  protected SessionRoutingTck() {}

  @Test
  @DisplayName("TCK-SESS-01 a plain activity goes to a worker that serves sessions")
  void plain() {
    act("x", 1);
    serves("A", 1);
  }

  @Test
  @DisplayName("TCK-SESS-02 whoever comes first gets an activity of a free session")
  void freeSession() {
    bind("s1", 1);
    LockedWork locked = serves("A", 1);
    assertThat(Objects.requireNonNull(locked.item()).routing().sessionId()).isEqualTo("s1");
  }

  @Test
  @DisplayName("TCK-SESS-03 the owner gets the next activity of its session")
  void affinity() {
    bind("s1", 1);
    finish(serves("A", 1));
    bind("s1", 2);
    serves("A", 2);
  }

  @Test
  @DisplayName("TCK-SESS-04 nobody else gets an activity of an owned session")
  void foreignSession() {
    bind("s1", 1);
    finish(serves("A", 1));
    bind("s1", 2);
    nothingFor("B");
  }

  @Test
  @DisplayName("TCK-SESS-05 two owners each get activities of their own session")
  void twoOwners() {
    bind("s1", 1);
    serves("A", 1);
    bind("s2", 2);
    serves("B", 2);
    bind("s1", 3);
    bind("s2", 4);
    serves("B", 4);
    serves("A", 3);
  }

  @Test
  @DisplayName("TCK-SESS-06 a foreign activity at the head does not hide a plain one")
  void foreignAhead() {
    bind("s1", 1);
    serves("A", 1);
    bind("s1", 2);
    act("x", 3);
    serves("B", 3);
  }

  @Test
  @DisplayName("TCK-SESS-08 a worker without sessions gets plain activities alone")
  void withoutSessions() {
    bind("s1", 1);
    act("x", 2);
    work(2);
    noWork();
    serves("A", 1);
  }

  @Test
  @DisplayName("TCK-SESS-09 one owner may hold several sessions and gets everything in order")
  void severalSessions() {
    bind("s1", 1);
    bind("s2", 2);
    act("x", 3);
    bind("s3", 4);
    serves("A", 1);
    serves("A", 2);
    serves("A", 3);
    serves("A", 4);
    nothingFor("A");
  }

  @Test
  @DisplayName("TCK-SESS-18 activities of one session come in order")
  void order() {
    bind("s1", 1, 2, 3);
    finish(serves("A", 1));
    finish(serves("A", 2));
    finish(serves("A", 3));
  }

  @Test
  @DisplayName("TCK-SESS-19 an owner still gets plain activities")
  void plainForOwner() {
    bind("s1", 1);
    serves("A", 1);
    act("x", 2);
    serves("A", 2);
  }

  @Test
  @DisplayName("TCK-SESS-20 callers that share an owner id are one owner")
  void sharedOwner() {
    bind("s1", 1, 2, 3);
    Callable<Optional<LockedWork>> slot = () -> take("A", LEASE);
    var served = race().together(List.of(slot, slot));
    assertThat(served).allMatch(outcome -> outcome.get().isPresent());
    nothingFor("B");
    serves("A", 3);
  }

  @Test
  @DisplayName("TCK-SESS-21 the second activity of a session goes with the first")
  void oneWinner() {
    bind("s1", 1, 2);
    serves("A", 1);
    nothingFor("B");
  }

  @Test
  @DisplayName("TCK-SESS-37 a session named in a commit routes like one that was queued directly")
  void queuedByCommit() {
    createWith("x", List.of(bound("s1", 1), bound("s1", 2), Items.activity("x", 3)));
    serves("A", 1);
    work(3);
    nothingFor("B");
    serves("A", 2);
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-SESS-38 of two workers racing for a session the loser gets a plain activity")
  void racingClaims() {
    Provider other = secondHandle();
    for (long round = 0; round < fixture().rounds(); round++) {
      raceForSession(other, round);
    }
  }

  @Test
  @DisplayName("TCK-SESS-40 a bound and tagged activity needs its owner and a matching filter")
  void boundAndTagged() {
    bind("s1", 1);
    serves("A", 1);
    provider.enqueueForWorker(Items.activity(key("x", 2), new ActivityRouting("s1", "gpu")));
    nothingFor("A");
    TagFilter gpu = TagFilter.tags("gpu");
    assertThat(wfetch(provider, as("B", LOCK, LEASE).withTags(gpu))).isEmpty();
    assertThat(wfetch(provider, as("A", LOCK, LEASE).withTags(gpu)))
        .map(locked -> locked.key().activityId())
        .contains(2L);
  }

  @Test
  @DisplayName("TCK-SESS-42 100 sessions of one owner are routed and renewed in one call")
  void manySessions() {
    for (int i = 1; i <= 100; i++) {
      bind("s" + i, i);
      finish(serves("A", i));
    }
    for (int i = 1; i <= 100; i++) {
      bind("s" + i, 100 + i);
    }
    nothingFor("B");
    assertThat(renew("A")).isEqualTo(100);
    for (int i = 1; i <= 100; i++) {
      serves("A", 100 + i);
    }
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-SESS-43 a restarted process with the same owner id has access at once")
  void restartedOwner() {
    bind("s1", 1, 2);
    serves("A", 1);
    Provider restarted = secondHandle();
    assertThat(take(restarted, "B", LEASE)).isEmpty();
    assertThat(take(restarted, "A", LEASE)).map(locked -> locked.key().activityId()).contains(2L);
  }

  @Test
  @DisplayName("TCK-SESS-45 a session that two instances share has one owner")
  void sharedSession() {
    ActivityRouting session = new ActivityRouting("s1", null);
    ActivityKey ofX = new ActivityKey("x", 1, 1);
    ActivityKey ofY = new ActivityKey("y", 1, 2);
    provider.enqueueForWorker(Items.activity(ofX, session));
    provider.enqueueForWorker(Items.activity(ofY, session));
    assertThat(serves("A", 1).key()).isEqualTo(ofX);
    nothingFor("B");
    assertThat(serves("A", 2).key()).isEqualTo(ofY);
  }

  /** Two bound and two plain activities, two workers: one takes the session, both get work. */
  private void raceForSession(Provider other, long round) {
    long first = round * 10 + 1;
    bind("s" + round, first, first + 1);
    act("x", first + 2);
    act("x", first + 3);
    var outcomes =
        race()
            .together(
                List.<Callable<Optional<LockedWork>>>of(
                    () -> take(provider, "A", LEASE), () -> take(other, "B", LEASE)));
    List<LockedWork> served = new ArrayList<>();
    outcomes.forEach(outcome -> served.add(present(outcome.get())));
    boolean wonByA = served.getFirst().key().activityId() == first;
    assertThat(served)
        .extracting(locked -> locked.key().activityId())
        .containsExactlyInAnyOrder(first, first + 2);
    served.add(serves(wonByA ? "A" : "B", first + 1));
    served.add(serves(wonByA ? "B" : "A", first + 3));
    assertThat(served).allMatch(locked -> locked.attemptCount() == 1);
    served.forEach(this::finish);
  }
}
