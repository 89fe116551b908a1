package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.NodeOffer;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.Need;
import io.duroxide.provider.NodeInfo;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WaitingWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MGMT: which nodes live, and what ready work needs. */
public abstract class BacklogTck extends LifecycleSteps {
  private static final NodeOffer OFFER =
      NodeOffer.of(
          List.of(new SemverRange(Semver.of(0, 1, 0), Semver.of(2, 0, 0))),
          Map.of("Order", Set.of("1.0.0", "2.0.0"), "Audit", Set.of("1.0.0")),
          Set.of("Charge", "Ship \"fast\""),
          true,
          Set.of("gpu"));
  private static final NodeOffer OTHER = NodeOffer.of(List.of(), Map.of(), Set.of(), false, null);

  /** For subclasses. */
  protected BacklogTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-36 a node is known with what it offers until its time is over")
  void nodes() {
    assertThat(admin().nodes()).isEmpty();
    provider.announce("one", OFFER, timeout());
    provider.announce("two", OTHER, timeout(3));
    assertThat(admin().nodes()).extracting(NodeInfo::id).containsExactlyInAnyOrder("one", "two");
    assertThat(offer("one")).isEqualTo(OFFER);
    assertThat(offer("two")).isEqualTo(OTHER);
    letLocksExpire();
    assertThat(admin().nodes()).extracting(NodeInfo::id).containsExactly("two");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-37 announcing again prolongs and replaces; zero withdraws")
  void announcedAgain() {
    provider.announce("one", OTHER, timeout());
    provider.announce("one", OFFER, timeout(3));
    letLocksExpire();
    assertThat(offer("one")).isEqualTo(OFFER);
    provider.announce("one", OFFER, Duration.ZERO);
    assertThat(admin().nodes()).isEmpty();
    provider.announce("nobody", OFFER, Duration.ZERO);
    assertThat(admin().nodes()).isEmpty();
  }

  private NodeOffer offer(String node) {
    return present(admin().nodes().stream().filter(info -> info.id().equals(node)).findFirst())
        .offer();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-38 ready turns are counted by orchestration, version and pin")
  void turns() {
    assertThat(waitingWork(10)).isEmpty();
    start("unversioned", "A", null);
    start("first", "A", "1.0.0");
    start("second", "A", "1.0.0");
    waiting(need("A", null, null), "unversioned");
    waiting(need("A", "1.0.0", null), "first", "second");
    assertThat(waitingWork(10)).hasSize(2);
    commit("pinned", "B", Semver.of(3, 1, 4));
    assertThat(waitingWork(10)).hasSize(2);
    poke("pinned");
    waiting(need("B", "1.0.0", Semver.of(3, 1, 4)), "pinned");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-39 an instance between two executions needs what the next one asks for")
  void continuation() {
    commit("x", "A", Semver.of(1, 0, 0));
    turn(
        "x",
        new EventKind.OrchestrationContinuedAsNew(""),
        ExecutionMetadata.NONE.withStatus(ExecutionStatus.CONTINUED_AS_NEW, ""));
    enqueue(new WorkItem.ContinueAsNew("x", "A", "", "2.0.0", null, Inheritance.NOTHING, null));
    waiting(need("A", "2.0.0", Semver.of(1, 0, 0)), "x");
    assertThat(waitingWork(10)).hasSize(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-40 what is locked, rests, is hidden or has no start is not ready")
  void notReady() {
    create("x");
    poke("x");
    enqueue(Items.raised("nobody", "early"));
    enqueue(Items.start("later"), timeout(3));
    act("x", 1);
    assertThat(waitingWork(10)).hasSize(2);
    fetched(timeout());
    work(timeout());
    assertThat(waitingWork(10)).isEmpty();
    letLocksExpire();
    assertThat(waitingWork(10)).hasSize(2);
    advance(timeout(3));
    waiting(need(Items.ORCHESTRATION, Items.VERSION, null), "x", "later");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-41 ready activities are counted by name and tag, whatever their session")
  void activities() {
    create("x");
    act("x", 1);
    act("x", 2);
    enqueueActivity(3, new ActivityRouting(null, "gpu"));
    enqueueActivity(4, new ActivityRouting("s", "gpu"));
    enqueueActivity(5, new ActivityRouting("t", "gpu"));
    assertThat(waitingWork(10))
        .containsExactlyInAnyOrder(
            new WaitingWork(new Need.Run("TestActivity", null), 2, List.of("x")),
            new WaitingWork(new Need.Run("TestActivity", "gpu"), 3, List.of("x")));
  }

  @Test
  @Needs.Management
  @DisplayName(
      "TCK-MGMT-42 as many instances are named as asked for, those that wait longest first")
  void named() {
    for (String instance : List.of("c", "a", "b")) {
      start(instance);
      tick();
    }
    Need need = need(Items.ORCHESTRATION, Items.VERSION, null);
    assertThat(waitingWork(2)).containsExactly(new WaitingWork(need, 3, List.of("c", "a")));
    assertThat(waitingWork(0)).containsExactly(new WaitingWork(need, 3, List.of()));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-43 a bounded look begins with what waits longest")
  void bounded() {
    for (String instance : List.of("a", "b", "c")) {
      start(instance);
      tick();
    }
    assertThat(admin().waitingWork(2, 1))
        .singleElement()
        .satisfies(work -> {
          assertThat(work.count()).isBetween(2L, 3L);
          assertThat(work.instances()).containsExactly("a");
        });
  }

  @Test
  @Needs.DropCount
  @DisplayName("TCK-MGMT-44 queue messages that a fetch dropped are counted once")
  void dropped() {
    enqueue(Items.message("nobody", "1"));
    enqueue(Items.message("nobody", "2"));
    start("somebody");
    enqueue(Items.message("somebody", "3"));
    assertThat(provider.takeDropped()).isZero();
    fetched("somebody");
    nothingToFetch();
    assertThat(provider.takeDropped()).isEqualTo(2);
    assertThat(provider.takeDropped()).isZero();
  }

  private List<WaitingWork> waitingWork(int instancesEach) {
    return admin().waitingWork(1_000, instancesEach);
  }

  private static Need need(String name, @Nullable String version, @Nullable Semver pin) {
    return new Need.Turn(name, version, pin == null ? null : ExecutionPin.of(pin));
  }

  private void waiting(Need need, String... instances) {
    assertThat(waitingWork(10))
        .filteredOn(work -> work.need().equals(need))
        .singleElement()
        .satisfies(work -> {
          assertThat(work.count()).isEqualTo(instances.length);
          assertThat(work.instances()).containsExactlyInAnyOrder(instances);
        });
  }

  private void start(String instance, String name, @Nullable String version) {
    enqueue(new WorkItem.StartOrchestration(instance, name, "", version, null));
  }

  /** Fetches until the instance is among what was fetched, and gives the others back. */
  private void commit(String instance, String name, Semver pin) {
    start(instance, name, "1.0.0");
    List<LockedOrchestration> others = new ArrayList<>();
    LockedOrchestration locked = fetched();
    while (!locked.item().instance().equals(instance)) {
      others.add(locked);
      locked = fetched();
    }
    ack(
        locked,
        TurnCommit.events(
            1,
            List.of(Events.started(locked.item().execution())),
            ExecutionMetadata.started(name, "1.0.0").withPinnedVersion(pin)));
    for (LockedOrchestration other : others) {
      provider.abandonOrchestrationItem(other.lockToken(), Duration.ZERO, true);
    }
  }

  private void enqueueActivity(long id, ActivityRouting routing) {
    provider.enqueueForWorker(Items.activity(new ActivityKey("x", 1, id), routing));
  }
}
