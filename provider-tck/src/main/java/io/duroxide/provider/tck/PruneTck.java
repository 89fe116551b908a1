package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** PRUNE: deleting past executions. */
public abstract class PruneTck extends LifecycleSteps {
  private static final int LIMIT = 1000;

  /** For subclasses. */
  protected PruneTck() {}

  @Test
  @Needs.Management
  @DisplayName(
      "TCK-PRUNE-01 keepLast keeps the highest ids; without options only the current stays")
  void options() {
    chain("x", 4);
    PruneResult result = admin().pruneExecutions("x", PruneOptions.keepLast(2));
    assertThat(result.instancesProcessed()).isEqualTo(1);
    assertThat(result.executionsDeleted()).isEqualTo(2);
    executionsOf("x", 3, 4);
    chain("y", 3);
    admin().pruneExecutions("y", PruneOptions.ALL);
    executionsOf("y", 3);
  }

  @Test
  @Needs.Management
  @DisplayName(
      "TCK-PRUNE-02 the current execution always stays, and an unknown instance is an error")
  void safety() {
    chain("running", 3);
    admin().pruneExecutions("running", PruneOptions.keepLast(0));
    executionsOf("running", 3);
    fails(Kind.NOT_FOUND, () -> admin().pruneExecutions("nobody", PruneOptions.ALL));
    for (PruneOptions options : List.of(PruneOptions.ALL, keep(0), keep(1))) {
      String instance = "finished" + options.keepLast();
      chain(instance, 4);
      complete(instance);
      PruneResult result = admin().pruneExecutions(instance, options);
      assertThat(result.executionsDeleted()).isEqualTo(3);
      executionsOf(instance, 4);
    }
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-03 bulk prunes the listed instances alone")
  void bulk() {
    chain("a", 3);
    chain("b", 3);
    chain("c", 3);
    for (String instance : List.of("a", "b", "c")) {
      complete(instance);
    }
    PruneResult result =
        admin().pruneExecutionsBulk(InstanceFilter.ids(List.of("a", "b")), keep(1), LIMIT);
    assertThat(result.instancesProcessed()).isEqualTo(2);
    assertThat(result.executionsDeleted()).isEqualTo(4);
    executionsOf("a", 3);
    executionsOf("b", 3);
    executionsOf("c", 1, 2, 3);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-04 bulk includes running instances")
  void bulkIncludesRunning() {
    chain("x", 3);
    PruneResult result =
        admin().pruneExecutionsBulk(InstanceFilter.ids(List.of("x")), keep(1), LIMIT);
    assertThat(result.executionsDeleted()).isEqualTo(2);
    executionsOf("x", 3);
    assertThat(admin().instanceInfo("x").status()).isEqualTo(ExecutionStatus.RUNNING);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-05 an execution that continued has a completion time to prune by")
  void completedBefore() {
    timedChain("x", 3);
    Instant cut = completedAt("x", 2);
    assertThat(admin().pruneExecutions("x", before(null, cut)).executionsDeleted()).isEqualTo(1);
    executionsOf("x", 2, 3);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-06 keepLast and completedBefore must both hold")
  void bothOptions() {
    timedChain("x", 5);
    Instant cut = completedAt("x", 4);
    admin().pruneExecutions("x", before(4, cut));
    executionsOf("x", 2, 3, 4, 5);
    timedChain("y", 5);
    admin().pruneExecutions("y", before(2, completedAt("y", 3)));
    executionsOf("y", 3, 4, 5);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-07 an old execution that is still marked running stays")
  void oldButRunning() {
    create("x");
    enqueue(Items.continueAsNew("x"));
    ack(fetched("x"), firstTurn(new ExecutionKey("x", 2)));
    continueAsNew("x", 3);
    assertThat(admin().pruneExecutions("x", PruneOptions.ALL).executionsDeleted()).isEqualTo(1);
    executionsOf("x", 1, 3);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-08 pruning does not disturb a turn in flight")
  void turnInFlight() {
    chain("x", 3);
    poke("x");
    LockedOrchestration locked = fetched("x");
    assertThat(admin().pruneExecutions("x", PruneOptions.ALL).executionsDeleted()).isEqualTo(2);
    nothingToFetch();
    ack(locked, next(locked, new EventKind.ExternalEvent("signal", "poke")));
    assertThat(provider.read("x")).hasSize(2);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-09 values, custom status, messages and activities stay")
  void everythingElseStays() {
    create("x");
    change(
        "x",
        new EventKind.KeyValueSet("k", "v", Events.STAMP.at()),
        new EventKind.CustomStatusUpdated("half"));
    act("x", 1);
    continueUpTo("x", 3);
    poke("x");
    assertThat(admin().pruneExecutions("x", PruneOptions.ALL).executionsDeleted()).isEqualTo(2);
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("k", "v"));
    assertThat(provider.customStatus("x", 0)).contains(new CustomStatus("half", 1));
    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "poke"));
    work(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-10 bulk: no ids, a limit, and completedBefore without the running ones")
  void bulkFilters() {
    chain("a", 2);
    complete("a");
    chain("b", 2);
    complete("b");
    chain("running", 2);
    tick();
    assertThat(admin().pruneExecutionsBulk(InstanceFilter.ids(List.of()), PruneOptions.ALL, LIMIT))
        .isEqualTo(PruneResult.NONE);
    InstanceFilter finished = InstanceFilter.ALL.completedBefore(now());
    assertThat(admin().pruneExecutionsBulk(finished, PruneOptions.ALL, 1).instancesProcessed())
        .isEqualTo(1);
    assertThat(admin().pruneExecutionsBulk(finished, PruneOptions.ALL, LIMIT).instancesProcessed())
        .isEqualTo(2);
    executionsOf("a", 2);
    executionsOf("b", 2);
    executionsOf("running", 1, 2);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-11 the result is exact, also when nothing is to prune")
  void exactCounts() {
    chain("x", 4);
    assertThat(admin().pruneExecutions("x", keep(9))).isEqualTo(new PruneResult(1, 0, 0));
    assertThat(admin().pruneExecutions("x", keep(2))).isEqualTo(new PruneResult(1, 2, 4));
    assertThat(admin().pruneExecutions("x", keep(2))).isEqualTo(new PruneResult(1, 0, 0));
    assertThat(provider.readWithExecution(new ExecutionKey("x", 1))).isEmpty();
    assertThat(provider.readWithExecution(new ExecutionKey("x", 3))).hasSize(2);
    fails(Kind.NOT_FOUND, () -> admin().executionInfo(new ExecutionKey("x", 2)));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-12 a completion for a pruned execution is delivered and harmless")
  void lateCompletion() {
    chain("x", 2);
    admin().pruneExecutions("x", PruneOptions.ALL);
    WorkItem late = Items.completed("x", 7);
    enqueue(late);
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(late);
    assertThat(locked.item().execution()).isEqualTo(new ExecutionKey("x", 2));
    drain(locked);
    executionsOf("x", 2);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-13 the current execution stays while the next has not begun")
  void betweenExecutions() {
    chain("x", 2);
    endForContinue("x");
    tick();
    admin().pruneExecutions("x", before(0, now()));
    admin().pruneExecutionsBulk(InstanceFilter.ids(List.of("x")), PruneOptions.ALL, LIMIT);
    executionsOf("x", 2);
    assertThat(provider.read("x")).hasSize(2);
  }

  private void chain(String instance, long executions) {
    create(instance);
    continueUpTo(instance, executions);
  }

  /** A chain whose executions completed at different times. */
  private void timedChain(String instance, long executions) {
    create(instance);
    for (long execution = 2; execution <= executions; execution++) {
      tick();
      continueAsNew(instance, execution);
    }
  }

  private static PruneOptions keep(int count) {
    return PruneOptions.keepLast(count);
  }

  private static PruneOptions before(@Nullable Integer keepLast, Instant completedBefore) {
    return new PruneOptions(keepLast, completedBefore, 0);
  }

  private Instant completedAt(String instance, long execution) {
    return Objects.requireNonNull(
        admin().executionInfo(new ExecutionKey(instance, execution)).completedAt());
  }

  private void executionsOf(String instance, long... ids) {
    assertThat(admin().listExecutions(instance))
        .containsExactly(Arrays.stream(ids).boxed().toArray(Long[]::new));
  }
}
