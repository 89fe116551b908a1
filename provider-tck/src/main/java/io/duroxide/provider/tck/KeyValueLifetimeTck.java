package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.PruneOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** KV: values across executions, completion, pruning and deletion. */
public abstract class KeyValueLifetimeTck extends KeyValueSteps {
  private static final PruneOptions CURRENT_ONLY = PruneOptions.keepLast(1);

  /** For subclasses. */
  protected KeyValueLifetimeTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-09 pruning the first writer leaves the value of the second")
  void pruneFirstWriter() {
    overwrittenInSecondExecution();
    admin().pruneExecutions("x", CURRENT_ONLY);
    holds("x", "k", "v2");
  }

  @Test
  @DisplayName("TCK-KV-10 the next execution overwrites a value")
  void overwriteInNextExecution() {
    create("x");
    change("x", set("k", "v1"));
    holds("x", "k", "v1");
    continueAsNew("x", 2);
    change("x", set("k", "v2"));
    holds("x", "k", "v2");
  }

  @Test
  @DisplayName("TCK-KV-11 set, cleared and set again by three executions")
  void removedAndAddedAgain() {
    create("x");
    change("x", set("k", "first"));
    holds("x", "k", "first");
    continueAsNew("x", 2);
    change("x", clear("k"));
    lacks("x", "k");
    continueAsNew("x", 3);
    change("x", set("k", "third"));
    holds("x", "k", "third");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-12 an overwritten key survives the pruning of its first writer")
  void overwrittenSurvivesPrune() {
    overwrittenInSecondExecution();
    complete("x");
    assertThat(admin().pruneExecutions("x", CURRENT_ONLY).executionsDeleted()).isEqualTo(1);
    holds("x", "k", "v2");
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "v2"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-13 a key that only the pruned execution wrote survives")
  void writtenByPruned() {
    create("x");
    change("x", set("k", "v1"));
    continueAsNew("x", 2);
    assertThat(admin().pruneExecutions("x", CURRENT_ONLY).executionsDeleted()).isEqualTo(1);
    holds("x", "k", "v1");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-15 deletion removes the keys")
  void deletion() {
    create("x");
    change("x", set("k", "v"));
    complete("x");
    admin().deleteInstance("x", false);
    lacks("x", "k");
  }

  @Test
  @DisplayName("TCK-KV-23 the snapshot holds what the previous execution set, not the current one")
  void snapshotOfPreviousExecution() {
    create("x");
    change("x", set("A", "1"));
    continueAsNew("x", 2);
    change("x", set("B", "2"));
    assertThat(snapshot("x")).isEqualTo(Map.of("A", "1"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-24 pruning an instance with one execution leaves its keys")
  void pruneSingleExecution() {
    create("x");
    change("x", set("k", "v"));
    admin().pruneExecutions("x", CURRENT_ONLY);
    holds("x", "k", "v");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-25 deleting a parent removes its keys and its child's")
  void deletionOfFamily() {
    create("parent");
    createChild("child", "parent");
    change("parent", set("k", "p"));
    change("child", set("k", "c"));
    complete("child");
    complete("parent");
    admin().deleteInstance("parent", false);
    lacks("parent", "k");
    lacks("child", "k");
  }

  @Test
  @DisplayName(
      "TCK-KV-27 clients read what the running execution set, its snapshot does not have it")
  void snapshotExcludesCurrent() {
    create("x");
    change("x", set("k", "v"));
    holds("x", "k", "v");
    assertThat(snapshot("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-KV-28 the snapshot of the next execution has what the last one set")
  void snapshotAfterContinue() {
    create("x");
    change("x", set("k", "v"));
    continueAsNew("x", 2);
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "v"));
  }

  @Test
  @DisplayName("TCK-KV-29 clients read running changes over kept values")
  void mergedRead() {
    create("x");
    change("x", set("color", "red"), set("size", "large"));
    continueAsNew("x", 2);
    change("x", set("color", "blue"), set("shape", "circle"));
    holds("x", "color", "blue");
    holds("x", "size", "large");
    holds("x", "shape", "circle");
  }

  @Test
  @DisplayName("TCK-KV-30 a kept key cleared by the running execution is absent for clients")
  void clearedOverKept() {
    create("x");
    change("x", set("k", "v"));
    continueAsNew("x", 2);
    change("x", clear("k"));
    lacks("x", "k");
  }

  @Test
  @DisplayName("TCK-KV-31 clear-all hides every kept key")
  void clearAllOverKept() {
    create("x");
    change("x", set("a", "1"), set("b", "2"));
    continueAsNew("x", 2);
    change("x", clearAll(), set("c", "3"));
    lacks("x", "a");
    lacks("x", "b");
    holds("x", "c", "3");
  }

  @Test
  @DisplayName("TCK-KV-32 a value is still readable after completion")
  void readableAfterCompletion() {
    create("x");
    change("x", set("k", "v"));
    complete("x");
    holds("x", "k", "v");
  }

  @Test
  @DisplayName("TCK-KV-33 continue-as-new keeps the latest value of every key")
  void mergedAtContinue() {
    create("x");
    change("x", set("a", "1"), set("b", "old"));
    change("x", set("b", "new"));
    continueAsNew("x", 2);
    assertThat(snapshot("x")).isEqualTo(Map.of("a", "1", "b", "new"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-34 force-deleting a running instance removes its unmerged keys")
  void forcedDeletion() {
    create("x");
    change("x", set("k", "v"));
    admin().deleteInstance("x", true);
    lacks("x", "k");
    assertThat(provider.kvAllValues("x")).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-35 a key nobody touches survives two continue-as-new and a prune")
  void untouchedSurvives() {
    create("x");
    change("x", set("k", "v"));
    continueUpTo("x", 3);
    assertThat(admin().pruneExecutions("x", CURRENT_ONLY).executionsDeleted()).isEqualTo(2);
    holds("x", "k", "v");
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "v"));
  }

  @Test
  @DisplayName("TCK-KV-38 a value set in the commit that completes is merged")
  void setWhileCompleting() {
    create("x");
    change("x", ExecutionStatus.COMPLETED, set("k", "v"));
    holds("x", "k", "v");
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "v"));
  }

  @Test
  @DisplayName("TCK-KV-39 a kept key cleared in the commit that completes is gone")
  void clearWhileCompleting() {
    create("x");
    change("x", set("k", "v"), set("other", "w"));
    continueAsNew("x", 2);
    change("x", ExecutionStatus.COMPLETED, clear("k"));
    lacks("x", "k");
    assertThat(snapshot("x")).isEqualTo(Map.of("other", "w"));
  }

  @Test
  @DisplayName("TCK-KV-40 failure merges like completion")
  void failureMerges() {
    create("x");
    change("x", set("k", "v"));
    fail("x");
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "v"));
  }

  @Test
  @DisplayName("TCK-KV-41 neither the status Running nor an absent one merges")
  void runningDoesNotMerge() {
    create("x");
    change("x", ExecutionStatus.RUNNING, set("b", "2"), set("c", "3"));
    change("x", set("a", "1"));
    assertThat(snapshot("x")).isEmpty();
    assertThat(provider.kvAllValues("x"))
        .as("all values, in key order")
        .containsExactly(Map.entry("a", "1"), Map.entry("b", "2"), Map.entry("c", "3"));
  }

  @Test
  @DisplayName("TCK-KV-43 a read of all values never misses a key that is being merged")
  void readWhileMerging() {
    for (int round = 0; round < fixture().rounds(); round++) {
      String instance = "x" + round;
      create(instance);
      change(instance, set("k", "v"));
      AtomicBoolean merged = new AtomicBoolean();
      Callable<List<Map<String, String>>> reads = () -> readUntil(merged, instance);
      Callable<List<Map<String, String>>> merge =
          () -> {
            complete(instance);
            merged.set(true);
            return List.of();
          };
      race()
          .together(List.of(reads, merge))
          .forEach(seen -> assertThat(seen.get()).allMatch(Map.of("k", "v")::equals));
    }
  }

  @Test
  @DisplayName("TCK-KV-44 clear-all, set and completion in three turns keep the new key alone")
  void clearAllThenSetThenComplete() {
    create("x");
    change("x", set("old", "1"));
    continueAsNew("x", 2);
    change("x", clearAll());
    change("x", set("new", "2"));
    complete("x");
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("new", "2"));
    assertThat(snapshot("x")).isEqualTo(Map.of("new", "2"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-KV-49 an instance created again has no old keys")
  void createdAgain() {
    create("x");
    change("x", set("merged", "1"));
    continueAsNew("x", 2);
    change("x", set("running", "2"));
    admin().deleteInstance("x", true);
    create("x");
    assertThat(provider.kvAllValues("x")).isEmpty();
    assertThat(snapshot("x")).isEmpty();
    complete("x");
    assertThat(snapshot("x")).isEmpty();
  }

  private void overwrittenInSecondExecution() {
    create("x");
    change("x", set("k", "v1"));
    continueAsNew("x", 2);
    change("x", set("k", "v2"));
  }

  private List<Map<String, String>> readUntil(AtomicBoolean merged, String instance) {
    List<Map<String, String>> seen = new ArrayList<>();
    do {
      seen.add(provider.kvAllValues(instance));
    } while (!merged.get() && seen.size() < 10_000);
    return seen;
  }
}
