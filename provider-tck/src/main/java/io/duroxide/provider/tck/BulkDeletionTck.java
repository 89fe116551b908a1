package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** BULK: deleting many finished trees by a filter. */
public abstract class BulkDeletionTck extends LifecycleSteps {
  private static final int DEPTH = 20;

  /** For subclasses. */
  protected BulkDeletionTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-01 by ids, by unknown ids and without any criterion")
  void filters() {
    createCompleted("a", "b", "c", "d", "e");
    assertThat(deleted(ids("a", "b"))).isEqualTo(2);
    assertThat(deleted(ids("nobody", "a"))).isZero();
    assertThat(deleted(InstanceFilter.ALL)).isEqualTo(3);
    assertThat(admin().listInstances()).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-02 running instances stay, and a limit is kept")
  void runningAndLimit() {
    createCompleted("a", "b");
    create("running1");
    create("running2");
    assertThat(deleted(ids("a", "b", "running1", "running2"))).isEqualTo(2);
    exists("running1");
    exists("running2");
    createCompleted("c", "d", "e", "f");
    BulkDeletion two = BulkDeletion.DEFAULT.withLimit(2);
    assertThat(deleted(InstanceFilter.ALL, two)).isEqualTo(2);
    assertThat(deleted(InstanceFilter.ALL, two)).isEqualTo(2);
    assertThat(deleted(InstanceFilter.ALL, two)).isZero();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-03 only what completed before the instant is deleted")
  void completedBefore() {
    Instant before = now();
    tick();
    createCompleted("a", "b");
    tick();
    assertThat(deleted(InstanceFilter.ALL.completedBefore(before))).isZero();
    assertThat(deleted(InstanceFilter.ALL.completedBefore(now()))).isEqualTo(2);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-04 children are deleted with their root")
  void cascade() {
    finishedRoot("a", 1);
    finishedRoot("b", 3);
    finishedRoot("c", 0);
    assertThat(deleted(ids("a", "b", "c"))).isEqualTo(7);
    assertThat(admin().listInstances()).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-05 an empty list of ids is nothing, not everything")
  void emptyList() {
    createCompleted("a");
    assertThat(admin().deleteInstanceBulk(ids(), BulkDeletion.DEFAULT))
        .isEqualTo(DeleteResult.NONE);
    exists("a");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-06 the id of a child is passed over")
  void childIds() {
    finishedRoot("root", 2);
    assertThat(deleted(ids("root-child0", "root-child1"))).isZero();
    exists("root-child0");
    exists("root");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-07 an instance between two executions is passed over and runs on")
  void betweenExecutions() {
    create("x");
    endForContinue("x");
    enqueue(Items.continueAsNew("x"));
    tick();
    assertThat(deleted(ids("x"))).isZero();
    assertThat(deleted(InstanceFilter.ALL.completedBefore(now()))).isZero();
    ack(fetched("x"), firstTurn(new ExecutionKey("x", 2)));
    complete("x");
    assertThat(deleted(ids("x"))).isEqualTo(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-08 a root with a running descendant is passed over as a whole")
  void runningDescendant() {
    create("root");
    createCompletedChild("finished", "root");
    createChild("child", "root");
    createChild("grandchild", "child");
    complete("child");
    complete("root");
    assertThat(deleted(InstanceFilter.ALL)).isZero();
    assertThat(admin().instanceTree("root")).hasSize(4);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-09 ids and instant must both hold, and the instant itself is not before")
  void intersection() {
    createCompleted("early", "unlisted");
    tick();
    createCompleted("late");
    Instant end = completedAt("late");
    assertThat(deleted(ids("early", "late").completedBefore(end))).isEqualTo(1);
    gone("early");
    exists("unlisted");
    exists("late");
    assertThat(deleted(ids("late").completedBefore(end.plusMillis(1)))).isEqualTo(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-10 without a limit 1000 of 1001 are deleted")
  void defaultLimit() {
    for (int i = 0; i < 1001; i++) {
      createCompleted("x" + i);
    }
    assertThat(deleted(InstanceFilter.ALL)).isEqualTo(1000);
    assertThat(admin().listInstances()).hasSize(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-11 the oldest completions are deleted first")
  void oldestFirst() {
    for (String instance : List.of("a", "b", "c", "d")) {
      create(instance);
      tick();
    }
    for (String instance : List.of("c", "a", "d", "b")) {
      complete(instance);
      tick();
    }
    assertThat(deleted(InstanceFilter.ALL, BulkDeletion.DEFAULT.withLimit(2))).isEqualTo(2);
    assertThat(admin().listInstances()).containsExactlyInAnyOrder("d", "b");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-12 ids are taken literally")
  void literalIds() {
    List<String> hostile = List.of("o'brien", "50%", "a;drop table instances", "back\\slash", "\"");
    createCompleted(hostile.toArray(String[]::new));
    createCompleted("50 percent", "plain");
    assertThat(deleted(InstanceFilter.ids(hostile))).isEqualTo(hostile.size());
    assertThat(admin().listInstances()).containsExactlyInAnyOrder("50 percent", "plain");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-13 a dry run says exactly what would be deleted, and deletes nothing")
  void dryRun() {
    finishedRoot("a", 2);
    finishedRoot("b", 0);
    create("running");
    poke("b");
    act("a", 1);
    enqueue(Items.child("unborn", "a"));
    enqueue(Items.child("a-child0", "a"));
    BulkDeletion dry = BulkDeletion.DEFAULT.asDryRun();
    DeleteResult preview = admin().deleteInstanceBulk(InstanceFilter.ALL, dry);
    assertThat(preview).isEqualTo(new DeleteResult(4, 4, 8, 4));
    assertThat(admin().deleteInstanceBulk(InstanceFilter.ALL, dry.withLimit(1)).instancesDeleted())
        .isEqualTo(3);
    assertThat(admin().listInstances()).hasSize(5);
    assertThat(admin().deleteInstanceBulk(InstanceFilter.ALL, BulkDeletion.DEFAULT))
        .isEqualTo(preview);
    assertThat(admin().listInstances()).containsExactly("running");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-14 running descendants go with their finished root if asked for")
  void withRunningDescendants() {
    create("root");
    createChild("child", "root");
    complete("root");
    create("running");
    createChild("other", "running");
    BulkDeletion forced = BulkDeletion.DEFAULT.includingRunningDescendants();
    assertThat(deleted(InstanceFilter.ALL)).isZero();
    assertThat(deleted(InstanceFilter.ALL, forced.asDryRun())).isEqualTo(2);
    assertThat(deleted(InstanceFilter.ALL, forced)).isEqualTo(2);
    assertThat(admin().listInstances()).containsExactlyInAnyOrder("running", "other");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-15 every criterion of a filter counts")
  void criteria() {
    createCompleted("a1", "a2", "b1");
    create("b2");
    fail("b2");
    assertThat(deleted(InstanceFilter.ALL.named("Other"))).isZero();
    assertThat(deleted(InstanceFilter.ALL.withStatuses(ExecutionStatus.FAILED))).isEqualTo(1);
    assertThat(deleted(InstanceFilter.running())).isZero();
    assertThat(deleted(InstanceFilter.ALL.withIdPrefix("a"))).isEqualTo(2);
    assertThat(deleted(InstanceFilter.ALL.withVersion("9.9.9"))).isZero();
    assertThat(admin().listInstances()).containsExactly("b1");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-BULK-60 a preview counts each instance of a tree once, however it is reached")
  void previewedOnce() {
    deepTree("root", DEPTH);
    createCompletedChild("leaf", "root");
    long all = DEPTH + 1;
    BulkDeletion dry = BulkDeletion.DEFAULT.asDryRun();

    assertThat(deleted(InstanceFilter.ALL, dry)).isEqualTo(all);
    assertThat(deleted(ids("root", "root", "root-1", "leaf"), dry)).isEqualTo(all);
    assertThat(admin().instanceTree("root")).doesNotHaveDuplicates().hasSize((int) all);
    assertThat(deleted(ids("root", "root", "root-1", "leaf"))).isEqualTo(all);
  }

  @Test
  @Needs.Management
  @Needs.Meters
  @DisplayName("TCK-BULK-60 a preview of a tree that is twice as deep needs twice the statements")
  void previewIsLinear() {
    deepTree("one", DEPTH);
    deepTree("two", 2 * DEPTH);
    BulkDeletion dry = BulkDeletion.DEFAULT.asDryRun();
    deleted(ids("one"), dry);
    long before = fixture().statements();
    deleted(ids("one"), dry);
    long once = fixture().statements() - before;
    deleted(ids("two"), dry);
    long twice = fixture().statements() - before - once;

    assertThat(twice).isLessThanOrEqualTo(2 * once + 2);
  }

  /** Each instance is the child of the one before it, and all have completed. */
  private void deepTree(String root, int depth) {
    create(root);
    String parent = root;
    for (int i = 1; i < depth; i++) {
      createChild(root + "-" + i, parent);
      complete(parent);
      parent = root + "-" + i;
    }
    complete(parent);
  }

  private long deleted(InstanceFilter filter) {
    return deleted(filter, BulkDeletion.DEFAULT);
  }

  private long deleted(InstanceFilter filter, BulkDeletion how) {
    return admin().deleteInstanceBulk(filter, how).instancesDeleted();
  }

  private static InstanceFilter ids(String... ids) {
    return InstanceFilter.ids(List.of(ids));
  }

  private Instant completedAt(String instance) {
    return Objects.requireNonNull(
        admin().executionInfo(new ExecutionKey(instance, 1)).completedAt());
  }

  private void finishedRoot(String root, int children) {
    create(root);
    for (int i = 0; i < children; i++) {
      createCompletedChild(root + "-child" + i, root);
    }
    complete(root);
  }
}
