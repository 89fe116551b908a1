package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import io.duroxide.provider.Sending.Opening;
import io.duroxide.provider.Sending.Rule;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** INST: an instance that has ended begins its next execution in the step that restarts it. */
@Needs.CheckedSends
public abstract class RestartTck extends ProviderTck {
  private static final ExecutionKey SECOND = new ExecutionKey("x", 2);

  /** For subclasses. */
  protected RestartTck() {}

  private static WorkItem.StartOrchestration again() {
    return new WorkItem.StartOrchestration("x", Items.ORCHESTRATION, "again", Items.VERSION, null);
  }

  private SendAnswer restart(WorkItem.StartOrchestration start, Duration delay, String... data) {
    List<WorkItem> messages = new ArrayList<>();
    for (String each : data) {
      messages.add(Items.message("x", each));
    }
    return provider.send(Sending.of(new Opening(start, delay, Rule.RESTART), messages));
  }

  private SendAnswer restart(String... data) {
    return restart(again(), Duration.ZERO, data);
  }

  private void ended() {
    create("x");
    complete("x");
  }

  private InstanceStatus status() {
    return provider.status("x").orElseThrow();
  }

  @Test
  @DisplayName("TCK-INST-20 an ended instance begins its next execution with the batch")
  void nextExecution() {
    ended();

    assertThat(restart("a", "b")).isEqualTo(SendAnswer.ACCEPTED);

    assertThat(status().status()).isEqualTo(ExecutionStatus.RUNNING);
    assertThat(status().executionId()).isEqualTo(2);
    assertThat(status().output()).isNull();
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(SECOND);
    assertThat(history(locked)).isEmpty();
    assertThat(messages(locked))
        .containsExactly(again(), Items.message("x", "a"), Items.message("x", "b"));
    ack(locked, firstTurn(SECOND));
    assertThat(provider.read("x")).hasSize(1);
    assertThat(provider.readWithExecution(first("x"))).hasSize(2);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-INST-20 a failed instance is restarted too, and ends again")
  void failed() {
    create("x");
    fail("x");
    restart();
    ack(fetched("x"), firstTurn(SECOND));
    complete("x");

    assertThat(status().status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(restart()).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(fetched("x").item().execution()).isEqualTo(new ExecutionKey("x", 3));
  }

  @Test
  @DisplayName("TCK-INST-20 one that runs gets the messages, one that is unknown begins")
  void runningOrUnknown() {
    assertThat(restart("a")).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(restart("b")).isEqualTo(SendAnswer.ACCEPTED);
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(first("x"));
    assertThat(messages(locked))
        .containsExactly(again(), Items.message("x", "a"), Items.message("x", "b"));
    ack(locked, firstTurn("x"));

    assertThat(restart("c")).isEqualTo(SendAnswer.ACCEPTED);

    LockedOrchestration running = fetched("x");
    assertThat(running.item().execution()).isEqualTo(first("x"));
    assertThat(messages(running)).containsExactly(Items.message("x", "c"));
  }

  @Test
  @DisplayName("TCK-INST-20 an instance between two executions is not restarted")
  void betweenExecutions() {
    create("x");
    endForContinue("x");

    restart("a");

    assertThat(status().executionId()).isEqualTo(1);
    assertThat(messages(fetched("x"))).containsExactly(Items.message("x", "a"));
  }

  @Test
  @DisplayName("TCK-INST-20 EN-087 of twenty restarts at the same time one begins")
  void twenty() {
    ended();

    var outcomes = race().together(20, () -> restart("a"));

    assertThat(outcomes).allMatch(outcome -> outcome.get() == SendAnswer.ACCEPTED);
    assertThat(status().executionId()).isEqualTo(2);
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).filteredOn(again()::equals).hasSize(1);
    assertThat(messages(locked)).hasSize(21);
  }

  @Test
  @DisplayName("TCK-INST-20 the batch comes whole, with the values that were left")
  void whole() {
    start("x");
    ack(fetched("x"), firstTurn("x"));
    poke("x");
    LockedOrchestration locked = fetched("x");
    ack(locked, next(locked, new EventKind.KeyValueSet("k", "1", provider.now()), identity()));
    poke("x");
    LockedOrchestration last = fetched("x");
    ack(
        last,
        next(
            last,
            new EventKind.OrchestrationCompleted("done"),
            identity().withStatus(ExecutionStatus.COMPLETED, "done")));
    restart();

    OrchestrationFetch keeping =
        OrchestrationFetch.of(LOCK, Duration.ZERO)
            .withCached(execution -> new CachedHistory.Tip(2, last.lockToken()));
    LockedOrchestration begun = present(fetch(provider, keeping));

    assertThat(begun.item().history()).isInstanceOf(StoredHistory.Whole.class);
    assertThat(history(begun)).isEmpty();
    assertThat(values(begun)).containsOnlyKeys("k");
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("k", "1"));
  }

  @Test
  @DisplayName("TCK-INST-20 the custom status is cleared, and its version goes on")
  void customStatus() {
    create("x");
    turn("x", new EventKind.CustomStatusUpdated("busy"), identity());
    complete("x");

    restart();

    assertThat(provider.customStatus("x", 0).orElseThrow().status()).isNull();
    assertThat(provider.customStatus("x", 1).orElseThrow().version()).isEqualTo(2);
    assertThat(provider.customStatus("x", 2)).isEmpty();
  }

  @Test
  @DisplayName("TCK-INST-20 a message for it is accepted at once and comes with the start")
  void messageBeforeTheFirstTurn() {
    ended();
    restart();

    var sent = Sending.of(Items.message("x", "a"), OrphanQueuePolicy.DROP);
    assertThat(provider.send(sent)).isEqualTo(SendAnswer.ACCEPTED);

    assertThat(messages(fetched("x"))).containsExactly(again(), Items.message("x", "a"));
  }

  @Test
  @DisplayName("TCK-INST-20 with a delay the whole instance rests, and whoever has it has lost it")
  void delayed() {
    ended();
    poke("x");
    LockedOrchestration draining = fetched("x");

    restart(again(), timeout(), "a");

    lost(() -> drain(draining));
    nothingToFetch();
    poke("x");
    nothingToFetch();
    advance(timeout());
    assertThat(messages(fetched("x"))).contains(again(), Items.message("x", "a")).hasSize(4);
  }

  @Test
  @DisplayName("TCK-INST-20 whoever consumes what came for the ended execution changes nothing")
  void drainedMeanwhile() {
    ended();
    poke("x");
    LockedOrchestration draining = fetched("x");

    restart("a");
    drain(draining);

    assertThat(status().executionId()).isEqualTo(2);
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(SECOND);
    assertThat(messages(locked)).containsExactly(again(), Items.message("x", "a"));
  }

  @Test
  @DisplayName(
      "TCK-INST-20 starts that found the ended instance are gone, those of parents are not")
  void otherStarts() {
    ended();
    start("x");
    enqueue(Items.child("x", "p"));

    restart();

    assertThat(messages(fetched("x"))).containsExactly(Items.child("x", "p"), again());
  }

  @Test
  @DisplayName("TCK-INST-20 the handler that the start names decides, and no pin")
  void handler() {
    start("x");
    ExecutionMetadata pinned = identity().withPinnedVersion(Semver.of(9, 9, 9));
    ack(fetched("x"), firstTurnWith(pinned));
    poke("x");
    LockedOrchestration last = fetched("x");
    ack(
        last,
        next(
            last,
            new EventKind.OrchestrationCompleted("done"),
            ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "done")));
    restart(new WorkItem.StartOrchestration("x", "Another", "in", null, null), Duration.ZERO);

    assertThat(fetch(provider, serving(Items.ORCHESTRATION))).isEmpty();
    LockedOrchestration begun = present(fetch(provider, serving("Another")));
    assertThat(begun.item().orchestrationName()).isEqualTo("Another");
  }

  private static TurnCommit firstTurnWith(ExecutionMetadata metadata) {
    return TurnCommit.events(1, List.of(Events.started(first("x"))), metadata);
  }

  private static OrchestrationFetch serving(String orchestration) {
    return OrchestrationFetch.of(LOCK, Duration.ZERO)
        .withFilter(
            new DispatcherCapabilityFilter(
                List.of(new SemverRange(Semver.of(0, 0, 1), Semver.of(2, 0, 0))),
                new HandlerFilter(Map.of(orchestration, Set.of(Items.VERSION)))));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-INST-20 EN-088 past executions stay, are listed, and pruning removes them")
  void past() {
    ended();
    restart();
    assertThat(admin().listExecutions("x")).containsExactly(1L, 2L);
    assertThat(admin().executionInfo(SECOND).eventCount()).isZero();
    assertThat(admin().executionInfo(first("x")).output()).isEqualTo("done");
    assertThat(admin().listInstancesByStatus("Running")).containsExactly("x");
    assertThat(admin().instanceInfo("x").status()).isEqualTo(ExecutionStatus.RUNNING);

    admin().pruneExecutions("x", new PruneOptions(1, null, 0));

    assertThat(admin().listExecutions("x")).containsExactly(2L);
    assertThat(provider.readWithExecution(first("x"))).isEmpty();
    assertThat(fetched("x").item().execution()).isEqualTo(SECOND);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-INST-20 a restarted child belongs to nobody")
  void child() {
    create("p");
    enqueue(Items.child("x", "p"));
    ack(fetched("x"), firstTurnWith(identity().withParent(Items.child("x", "p").parent())));
    complete("x");
    assertThat(admin().parentId("x")).contains("p");

    restart();

    assertThat(admin().parentId("x")).isEmpty();
    assertThat(admin().listChildren("p")).isEmpty();
    ack(fetched("x"), firstTurn(SECOND));
    assertThat(admin().parentId("x")).isEmpty();
  }

  @Test
  @Needs.Durable
  @DisplayName("TCK-INST-20 a restart outlives the process")
  void durable() {
    ended();
    restart("a");
    reopen();

    assertThat(status().executionId()).isEqualTo(2);
    assertThat(messages(fetched("x"))).containsExactly(again(), Items.message("x", "a"));
  }
}
