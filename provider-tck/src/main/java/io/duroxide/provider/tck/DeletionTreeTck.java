package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.TurnCommit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** DEL: families, atomic deletion and races with turns. */
public abstract class DeletionTreeTck extends LifecycleSteps {
  /** For subclasses. */
  protected DeletionTreeTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-05 only the root can be deleted, and takes the whole tree with it")
  void cascade() {
    finishedFamily();
    for (boolean force : new boolean[] {false, true}) {
      fails(Kind.NOT_ROOT, () -> admin().deleteInstance("child1", force));
      fails(Kind.NOT_ROOT, () -> admin().deleteInstance("grandchild", force));
    }
    assertThat(admin().deleteInstance("root", false).instancesDeleted()).isEqualTo(4);
    gone("root", "child1", "child2", "grandchild");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-07 children are the direct ones")
  void children() {
    finishedFamily();
    assertThat(admin().listChildren("root")).containsExactlyInAnyOrder("child1", "child2");
    assertThat(admin().listChildren("child1")).containsExactly("grandchild");
    assertThat(admin().listChildren("grandchild")).isEmpty();
    assertThat(admin().listChildren("nobody")).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-08 a root has no parent, a child has one, an unknown instance is an error")
  void parent() {
    finishedFamily();
    assertThat(admin().parentId("root")).isEmpty();
    assertThat(admin().parentId("child1")).contains("root");
    assertThat(admin().parentId("grandchild")).contains("child1");
    fails(Kind.NOT_FOUND, () -> admin().parentId("nobody"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-09 a tree holds its root and every descendant")
  void tree() {
    finishedFamily();
    assertThat(admin().instanceTree("root"))
        .containsExactlyInAnyOrder("root", "child1", "child2", "grandchild");
    assertThat(admin().instanceTree("child1")).containsExactlyInAnyOrder("child1", "grandchild");
    assertThat(admin().instanceTree("grandchild")).containsExactly("grandchild");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-10 several finished instances are deleted in one call")
  void atomic() {
    createCompleted("a", "b", "c");
    DeleteResult result = admin().deleteInstancesAtomic(List.of("a", "b", "c"), false);
    assertThat(result.instancesDeleted()).isEqualTo(3);
    assertThat(result.executionsDeleted()).isGreaterThanOrEqualTo(3);
    gone("a", "b", "c");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-11 one running instance keeps all of them, unless forced")
  void atomicWithRunning() {
    createCompleted("finished");
    create("running");
    List<String> both = List.of("finished", "running");
    fails(Kind.STILL_RUNNING, () -> admin().deleteInstancesAtomic(both, false));
    exists("finished");
    exists("running");
    assertThat(admin().deleteInstancesAtomic(both, true).instancesDeleted()).isEqualTo(2);
    gone("finished", "running");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-12 a parent is not deleted without its child")
  void atomicWithoutChild() {
    create("parent");
    createCompletedChild("child", "parent");
    complete("parent");
    fails(Kind.ORPHANS, () -> admin().deleteInstancesAtomic(List.of("parent"), false));
    fails(Kind.ORPHANS, () -> admin().deleteInstancesAtomic(List.of("parent"), true));
    exists("parent");
    exists("child");
    assertThat(admin().deleteInstancesAtomic(List.of("parent", "child"), false).instancesDeleted())
        .isEqualTo(2);
    gone("parent", "child");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-14 a running descendant keeps the tree, unless forced")
  void runningDescendant() {
    create("root");
    createChild("child", "root");
    createChild("grandchild", "child");
    complete("root");
    complete("child");
    fails(Kind.STILL_RUNNING, () -> admin().deleteInstance("root", false));
    exists("root");
    exists("grandchild");
    assertThat(admin().deleteInstance("root", true).instancesDeleted()).isEqualTo(3);
    gone("root", "child", "grandchild");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-16 the queued start of a child dies with its parent")
  void queuedChild() {
    start("parent");
    ack(
        fetched("parent"),
        firstTurn("parent").withOrchestratorItems(List.of(Items.child("child", "parent"))));
    DeleteResult result = admin().deleteInstance("parent", true);
    assertThat(result.queueMessagesDeleted()).isEqualTo(1);
    nothingToFetch();
    gone("parent", "child");
    assertThat(admin().queueDepths()).isEqualTo(QueueDepths.EMPTY);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-16 the cancel of a child that has not begun dies with its parent")
  void cancelledQueuedChild() {
    create("parent");
    enqueue(Items.child("child", "parent"));
    enqueue(new WorkItem.CancelInstance("child", "dropped", new ParentLink("parent", 1, 2)));
    assertThat(admin().deleteInstance("parent", true).queueMessagesDeleted()).isEqualTo(2);
    nothingToFetch();
    gone("parent", "child");
    assertThat(admin().queueDepths()).isEqualTo(QueueDepths.EMPTY);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-17 a child whose first turn is in flight is not born into a deleted tree")
  void unbornChild() {
    create("parent");
    enqueue(Items.child("child", "parent"));
    LockedOrchestration locked = fetched("child");
    admin().deleteInstance("parent", true);
    lost(() -> ack(locked, childTurn("child", "parent")));
    gone("parent", "child");
    assertThat(provider.read("child")).isEmpty();
    assertThat(admin().listExecutions("child")).isEmpty();
    nothingToFetch();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-18 a child whose parent does not exist can be deleted as a root")
  void orphan() {
    enqueue(Items.child("orphan", "ghost"));
    LockedOrchestration locked = fetched("orphan");
    TurnCommit birth = childTurn("orphan", "ghost");
    try {
      ack(locked, birth);
    } catch (ProviderException e) {
      // A store may refuse the child of a vanished parent: then there is nothing to delete.
      assertThat(e.kind()).isEqualTo(Kind.LOCK_LOST);
      gone("orphan");
      return;
    }
    complete("orphan");
    assertThat(admin().deleteInstance("orphan", false).instancesDeleted()).isEqualTo(1);
    gone("orphan");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-19 nothing is left when force delete and ack race")
  void deleteRacesAck() {
    for (int round = 0; round < fixture().rounds(); round++) {
      String instance = "x" + round;
      create(instance);
      poke(instance);
      LockedOrchestration locked = fetched(instance);
      var outcomes =
          race()
              .together(
                  () -> ack(locked, busyTurn(locked)),
                  () -> admin().deleteInstance(instance, true));
      assertThat(outcomes.getFirst().succeeded() || outcomes.getFirst().failedWith(Kind.LOCK_LOST))
          .isTrue();
      assertThat(outcomes.getLast().succeeded()).isTrue();
      nothingLeft(instance);
    }
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-22 unknown and repeated ids are not counted, no ids delete nothing")
  void exactIds() {
    createCompleted("a");
    assertThat(admin().deleteInstancesAtomic(List.of("a", "nobody", "a"), false))
        .isEqualTo(new DeleteResult(1, 1, 2, 0));
    assertThat(admin().deleteInstancesAtomic(List.of("nobody"), true)).isEqualTo(DeleteResult.NONE);
    createCompleted("b");
    assertThat(admin().deleteInstancesAtomic(List.of(), true)).isEqualTo(DeleteResult.NONE);
    exists("b");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-23 a chain of 100 levels and 1000 siblings are deleted completely")
  void deepAndWide() {
    create("level0");
    for (int level = 1; level < 100; level++) {
      createChild("level" + level, "level" + (level - 1));
    }
    for (int sibling = 0; sibling < 1000; sibling++) {
      createChild("sibling" + sibling, "level0");
    }
    assertThat(admin().deleteInstance("level0", true).instancesDeleted()).isEqualTo(1100);
    assertThat(admin().listInstances()).isEmpty();
    assertThat(admin().systemMetrics()).isEqualTo(new SystemMetrics(0, 0, 0, 0, 0, 0));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-26 an unknown instance has no tree")
  void unknownTree() {
    fails(Kind.NOT_FOUND, () -> admin().instanceTree("nobody"));
  }

  /** root with child1 and child2; grandchild below child1; all completed. */
  private void finishedFamily() {
    create("root");
    createChild("child1", "root");
    createCompletedChild("child2", "root");
    createCompletedChild("grandchild", "child1");
    complete("child1");
    complete("root");
  }

  /** A commit that leaves something in every corner of the store. */
  private static TurnCommit busyTurn(LockedOrchestration locked) {
    String instance = locked.item().instance();
    return append(
            locked,
            identity(),
            new EventKind.KeyValueSet("k", "v", Events.STAMP.at()),
            new EventKind.CustomStatusUpdated("busy"))
        .withWorkerItems(List.of(Items.activity(instance, 5)))
        .withOrchestratorItems(
            List.of(
                Items.raised(instance, "self"),
                Items.timer(instance, 6, Events.STAMP.at().plusSeconds(1L << 32))));
  }

  private void nothingLeft(String instance) {
    gone(instance);
    assertThat(provider.read(instance)).isEmpty();
    assertThat(admin().listExecutions(instance)).isEmpty();
    assertThat(provider.kvAllValues(instance)).isEmpty();
    assertThat(provider.customStatus(instance, 0)).isEmpty();
    assertThat(provider.instanceStats(instance)).isEmpty();
    assertThat(admin().queueDepths()).isEqualTo(QueueDepths.EMPTY);
    assertThat(admin().systemMetrics()).isEqualTo(new SystemMetrics(0, 0, 0, 0, 0, 0));
    nothingToFetch();
    noWork();
  }
}
