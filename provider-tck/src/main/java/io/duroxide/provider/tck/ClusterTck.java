package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CLU: nodes that share a store over a network (15). */
@Needs.Cluster
public abstract class ClusterTck extends ProviderTck {
  private static final OrchestrationFetch TURN = OrchestrationFetch.of(LOCK, Duration.ZERO);
  private static final Duration SKEW = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int CALLERS = 16;

  private final List<Provider> opened = new ArrayList<>();

  /** For subclasses. */
  protected ClusterTck() {}

  @AfterEach
  final void closeHandles() {
    opened.forEach(Provider::close);
  }

  private ClusterHooks cluster() {
    return fixture().cluster();
  }

  private Provider open(String namespace) {
    Provider handle = cluster().open(namespace);
    opened.add(handle);
    return handle;
  }

  @Test
  @DisplayName("TCK-CLU-01 two nodes that start together on an empty store both succeed")
  void twoStart() {
    startTogether(2);
  }

  @Test
  @DisplayName("TCK-CLU-02 six nodes that start together on an empty store all succeed")
  void sixStart() {
    startTogether(6);
  }

  private void startTogether(int nodes) {
    String namespace = cluster().newNamespace();
    Callable<Provider> start = () -> cluster().open(namespace);
    List<Provider> handles = race().together(nodes, start).stream().map(Race.Outcome::get).toList();
    opened.addAll(handles);
    for (int i = 0; i < nodes; i++) {
      Provider sender = handles.get(i);
      Provider receiver = handles.get((i + 1) % nodes);
      sender.enqueueForOrchestrator(Items.start("x-" + i), Duration.ZERO);
      LockedOrchestration turn = present(fetch(receiver, TURN));
      sender.commitTurn(
          new TurnSource.Fetched(turn.lockToken()), firstTurn("x-" + i), WorkClaim.NONE);
      assertThat(receiver.read("x-" + i)).hasSize(1);
    }
  }

  @Test
  @DisplayName("TCK-CLU-03 routines replaced inside the server disturb no node that runs")
  void routinesReplaced() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 10; i++) {
        roundOfEverything("x-" + round + "-" + i);
      }
      cluster().replaceRoutines();
    }
    roundOfEverything("last");
  }

  private void roundOfEverything(String x) {
    createWith(x, List.of(Items.activity(x, 2)));
    provider.ackWorkItem(work(2).lockToken(), Items.completed(x, 2));
    LockedOrchestration turn = fetched(x);
    provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
    drain(turn);
    assertThat(provider.status(x)).isPresent();
    assertThat(provider.read(x)).hasSize(1);
  }

  @Test
  @Needs.TwoHandles
  @Needs.Skew
  @DisplayName("TCK-CLU-04 a node whose clock is wrong steals no lock and sees nothing early")
  void wrongClock() {
    create("hidden");
    create("timed");
    start("locked");
    fetched("locked");
    for (Duration shift : List.of(SKEW, SKEW.negated())) {
      Provider other = secondHandle();
      fixture().skewClock(other, shift);
      other.enqueueForOrchestrator(Items.raised("hidden", "later"), SOON.multipliedBy(20));
      other.enqueueForOrchestrator(
          Items.timer("timed", 2, provider.now().plus(SOON.multipliedBy(20))), Duration.ZERO);

      assertThat(fetch(other, TURN)).as("shifted by %s", shift).isEmpty();
      assertThat(Duration.between(provider.now(), other.now()).abs()).isLessThan(SOON);
    }
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-CLU-06 two namespaces with equal ids have nothing to do with each other")
  void namespaces() {
    Provider other = open(cluster().newNamespace());
    create("x");
    act("x", 2);
    poke("x");

    assertThat(other.status("x")).isEmpty();
    assertThat(fetch(other, OrchestrationFetch.of(LOCK, SLACK))).isEmpty();
    assertThat(wfetch(other, WorkFetch.of(LOCK, SLACK))).isEmpty();

    other.enqueueForOrchestrator(Items.start("x"), Duration.ZERO);
    LockedOrchestration mine = fetched("x");
    LockedOrchestration theirs = present(fetch(other, TURN));
    lost(() ->
        other.commitTurn(
            new TurnSource.Fetched(mine.lockToken()), TurnCommit.nothing(1), WorkClaim.NONE));
    other.commitTurn(new TurnSource.Fetched(theirs.lockToken()), firstTurn("x"), WorkClaim.NONE);
    drain(mine);
    assertThat(messages(mine)).containsExactly(Items.raised("x", "poke"));
    assertThat(messages(theirs)).containsExactly(Items.start("x"));
  }

  @Test
  @DisplayName("TCK-CLU-07 a hostile or overlong name of a store is refused")
  void badNames() {
    for (String name :
        List.of("", " ", "a b", "a\"b", "a; DROP TABLE x; --", "a'b", "a\\b", "n".repeat(200))) {
      ProviderException refusal = failure(() -> open(name));
      assertThat(refusal.kind()).as(name).isEqualTo(ProviderException.Kind.INVALID_INPUT);
    }
  }

  @Test
  @DisplayName("TCK-CLU-08 sixteen callers share two connections")
  void fewConnections() {
    Provider small = cluster().openSmall();
    opened.add(small);
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String x = "x-" + i;
      calls.add(() -> {
        for (int round = 0; round < 5; round++) {
          small.enqueueForOrchestrator(Items.start(x + "-" + round), Duration.ZERO);
          LockedOrchestration turn =
              present(small.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, LOCK)));
          small.commitTurn(
              new TurnSource.Fetched(turn.lockToken()),
              firstTurn(turn.item().instance()),
              WorkClaim.NONE);
          assertThat(small.status(turn.item().instance())).isPresent();
        }
        return true;
      });
    }

    race().together(calls).forEach(Race.Outcome::get);

    assertThat(admin().listInstances()).hasSize(CALLERS * 5);
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-CLU-09 a node of the release before works on a store that was migrated")
  void olderRelease() {
    create("before");
    cluster().migrateFurther();
    roundOfEverything("x");

    Provider restarted = secondHandle();
    restarted.enqueueForOrchestrator(Items.start("y"), Duration.ZERO);
    LockedOrchestration turn = fetched("y");
    restarted.commitTurn(new TurnSource.Fetched(turn.lockToken()), firstTurn("y"), WorkClaim.NONE);
    assertThat(restarted.read("before")).hasSize(1);
  }

  @Test
  @DisplayName("TCK-CLU-10 a store that was migrated by something else is refused")
  void foreignMigration() {
    String namespace = cluster().newNamespace();
    open(namespace);
    cluster().tamperWithMigrations(namespace);

    ProviderException refusal = failure(() -> open(namespace));

    assertThat(refusal.retryable()).isFalse();
    assertThat(refusal).hasMessageContaining("migration");
  }

  @Test
  @Needs.TwoHandles
  @Needs.Kill
  @DisplayName("TCK-CLU-11 what a node that died was at is served by others once its locks end")
  void deadNode() {
    Provider doomed = secondHandle();
    start("x");
    provider.enqueueForWorker(
        Items.activity(new ActivityKey("x", 1, 2), new ActivityRouting("session", null)));
    present(fetch(doomed, OrchestrationFetch.of(timeout(), Duration.ZERO)));
    assertThat(wfetch(doomed, sessionFetch("doomed"))).isPresent();
    Future<Optional<LockedOrchestration>> waiting =
        race().start(() -> doomed.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, LOCK)));

    fixture().kill(doomed);
    start("y");
    letLocksExpire();

    LockedOrchestration taken = fetched();
    LockedOrchestration other = fetched();
    assertThat(List.of(taken.item().instance(), other.item().instance()))
        .containsExactlyInAnyOrder("x", "y");
    LockedWork activity = present(wfetch(provider, sessionFetch("heir")));
    assertThat(activity.attemptCount()).isEqualTo(2);
    doomed.close();
    assertThat(waiting).satisfiesAnyOf(ClusterTck::failed, ClusterTck::gaveUp);
  }

  private static void failed(Future<Optional<LockedOrchestration>> fetch) {
    assertThat(Race.outcome(fetch).succeeded()).isFalse();
  }

  private static void gaveUp(Future<Optional<LockedOrchestration>> fetch) {
    assertThat(Race.outcome(fetch).get()).isEmpty();
  }

  private WorkFetch sessionFetch(String owner) {
    return new WorkFetch(
        timeout(),
        Duration.ZERO,
        new SessionFetchConfig(owner, timeout()),
        TagFilter.DEFAULT_ONLY,
        null);
  }

  @Test
  @DisplayName("TCK-CLU-12 somebody else's long transaction blocks nothing")
  void longTransaction() throws Exception {
    create("x");
    try (AutoCloseable unrelated = cluster().longTransaction()) {
      for (int i = 0; i < 20; i++) {
        roundOfEverything("y-" + i);
      }
      assertThat(admin().deleteInstance("x", true).instancesDeleted()).isEqualTo(1);
      assertThat(unrelated).isNotNull();
    }
  }
}
