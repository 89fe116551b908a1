package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** PRUNE: deleting past executions in the commit that begins the next one. */
public abstract class PruneOnCommitTck extends LifecycleSteps {
  /** For subclasses. */
  protected PruneOnCommitTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-14 the commit of a new execution prunes, counting it as the current one")
  void newExecutionIsCurrent() {
    create("x");
    continueUpTo("x", 3);
    assertThat(next("x", 4, keep(1))).isEqualTo(new PruneOutcome(3, 6, null));
    executionsOf("x", 4);
    assertThat(provider.read("x")).hasSize(1);
    assertThat(next("x", 5, keep(3))).isEqualTo(new PruneOutcome(0, 0, null));
    assertThat(next("x", 6, keep(2))).isEqualTo(new PruneOutcome(1, 2, null));
    executionsOf("x", 5, 6);
  }

  @Test
  @DisplayName("TCK-PRUNE-15 a commit that asks for no prune reports none")
  void withoutPrune() {
    start("x");
    String token = fetched("x").lockToken();
    assertThat(provider.commitTurn(new TurnSource.Fetched(token), firstTurn("x"), WorkClaim.NONE))
        .contains(CommittedTurn.plain(token));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-16 a commit that is refused prunes nothing")
  void refusedCommit() {
    create("x");
    continueUpTo("x", 3);
    endForContinue("x");
    enqueue(Items.continueAsNew("x"));
    LockedOrchestration locked = fetched(timeout());
    letLocksExpire();
    TurnCommit commit = firstTurn(new ExecutionKey("x", 4)).withPrune(keep(1));
    lost(() -> ack(locked, commit));
    executionsOf("x", 1, 2, 3);
    ack(fetched("x"), commit);
    executionsOf("x", 4);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-17 count and time must both hold, and what still runs stays")
  void bothOptions() {
    create("x");
    enqueue(Items.continueAsNew("x"));
    ack(fetched("x"), firstTurn(new ExecutionKey("x", 2)));
    for (long execution = 3; execution <= 6; execution++) {
      tick();
      continueAsNew("x", execution);
    }
    Instant cut =
        Objects.requireNonNull(admin().executionInfo(new ExecutionKey("x", 4)).completedAt());
    tick();
    PruneOptions options = PruneOptions.completedBefore(cut).withKeepLast(2);
    assertThat(next("x", 7, options)).isEqualTo(new PruneOutcome(2, 4, null));
    executionsOf("x", 1, 4, 5, 6, 7);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-18 the last executions of the version before stay if asked for")
  void previousVersion() {
    create("x", "1.0.0");
    run("x", 2, "1.0.0", keepPrevious(1));
    run("x", 3, "1.0.0", keepPrevious(1));
    executionsOf("x", 3);
    run("x", 4, "2.0.0", keepPrevious(1));
    executionsOf("x", 3, 4);
    run("x", 5, "2.0.0", keepPrevious(1));
    run("x", 6, "2.0.0", keepPrevious(1));
    executionsOf("x", 3, 6);
    run("x", 7, "3.0.0", keepPrevious(1));
    executionsOf("x", 6, 7);
    run("x", 8, "3.0.0", keepPrevious(1));
    executionsOf("x", 6, 8);
    run("x", 9, "3.0.0", keep(1));
    executionsOf("x", 9);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-19 several executions of the version before stay, and no older version")
  void severalOfPreviousVersion() {
    create("x", "1.0.0");
    PruneOptions everything = PruneOptions.keepLast(100);
    run("x", 2, "2.0.0", everything);
    run("x", 3, "2.0.0", everything);
    run("x", 4, "2.0.0", everything);
    run("x", 5, "3.0.0", keepPrevious(2));
    executionsOf("x", 3, 4, 5);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-20 values, custom status, children, messages and activities stay")
  void everythingElseStays() {
    create("x");
    change(
        "x",
        new EventKind.KeyValueSet("k", "v", Events.STAMP.at()),
        new EventKind.CustomStatusUpdated("half"));
    act("x", 1);
    createChild("child", "x");
    endForContinue("x");
    enqueue(Items.continueAsNew("x"));
    LockedOrchestration locked = fetched("x");
    poke("x");
    ack(locked, firstTurn(new ExecutionKey("x", 2)).withPrune(keep(1)));
    executionsOf("x", 2);
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("k", "v"));
    assertThat(provider.customStatus("x", 0)).contains(new CustomStatus("half", 1));
    assertThat(admin().instanceTree("x")).containsExactlyInAnyOrder("x", "child");
    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "poke"));
    work(1);
    assertThat(admin().systemMetrics()).isEqualTo(new SystemMetrics(2, 2, 2, 2, 0, 0));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-PRUNE-21 many past executions go at once, and none that is too young")
  void many() {
    create("x");
    for (long execution = 2; execution <= 150; execution++) {
      continueAsNew("x", execution);
    }
    tick();
    Instant cut = now();
    tick();
    for (long execution = 151; execution <= 300; execution++) {
      continueAsNew("x", execution);
    }
    PruneOptions old = PruneOptions.completedBefore(cut).withKeepLast(1);
    assertThat(next("x", 301, old).executionsDeleted()).isEqualTo(149);
    assertThat(admin().listExecutions("x")).hasSize(152).startsWith(150L).endsWith(301L);
    assertThat(next("x", 302, keep(1)).executionsDeleted()).isEqualTo(152);
    executionsOf("x", 302);
  }

  private static PruneOptions keep(int count) {
    return PruneOptions.keepLast(count);
  }

  private static PruneOptions keepPrevious(int count) {
    return PruneOptions.keepLast(1).withKeepPreviousVersion(count);
  }

  private void create(String instance, String version) {
    start(instance);
    ack(fetched(instance), firstTurn(new ExecutionKey(instance, 1), version));
  }

  private static TurnCommit firstTurn(ExecutionKey execution, String version) {
    return TurnCommit.events(
        execution.executionId(),
        List.of(Events.started(execution, version, List.of())),
        ExecutionMetadata.started(Items.ORCHESTRATION, version));
  }

  private PruneOutcome next(String instance, long execution, PruneOptions options) {
    return run(instance, execution, Items.VERSION, options);
  }

  /** Continues as new with this version; the first commit of the new execution prunes. */
  private PruneOutcome run(String instance, long execution, String version, PruneOptions options) {
    turn(
        instance,
        new EventKind.OrchestrationContinuedAsNew("{}"),
        ExecutionMetadata.NONE.withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"));
    enqueue(Items.continueAsNew(instance));
    ExecutionKey key = new ExecutionKey(instance, execution);
    CommittedTurn committed =
        provider
            .commitTurn(
                new TurnSource.Fetched(fetched(instance).lockToken()),
                firstTurn(key, version).withPrune(options),
                WorkClaim.NONE)
            .orElseThrow();
    return Objects.requireNonNull(committed.prune());
  }

  private void executionsOf(String instance, long... ids) {
    assertThat(admin().listExecutions(instance))
        .containsExactly(Arrays.stream(ids).boxed().toArray(Long[]::new));
  }
}
