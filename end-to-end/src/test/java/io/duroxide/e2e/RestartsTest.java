package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.client.FirstMail;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.PruneOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An instance that has ended begins its next execution. */
class RestartsTest extends EachStoreScenario {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> OTHER =
      Orchestration.of("Other", String.class, String.class);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);
  private static final StartOptions RESTART = StartOptions.restartIfEnded();

  private void startNode() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              String before = ctx.kv().getText("last").orElse("none");
              String status = ctx.customStatus().orElse("no status");
              ctx.setCustomStatus("at " + in);
              String mail = ctx.dequeue(MAIL).await();
              ctx.kv().putText("last", mail);
              return in + " " + mail + " after " + before + ", " + status;
            }));
  }

  private void first() {
    startNode();
    world.client().startAndEnqueue(FLOW, "f", "one", MAIL, List.of("a"));
    assertThat(world.output("f")).isEqualTo("one a after none, no status");
  }

  private void restart(String input, String... mail) {
    world.client().startAndEnqueue(FLOW, "f", input, FirstMail.to(MAIL, List.of(mail)), RESTART);
  }

  @Test
  @DisplayName("EN-084 startAndEnqueue with restart gives its messages to the next execution")
  void withMail() {
    first();

    restart("two", "b", "c");

    assertThat(world.output("f")).isEqualTo("two b after a, no status");
    assertThat(world.history("f", 2)).isNotEmpty();
    assertThat(world.history("f", 2).stream().map(event -> event.kind().getClass().getSimpleName()))
        .startsWith("OrchestrationStarted", "QueueEventDelivered", "QueueEventDelivered");
  }

  @Test
  @DisplayName("EN-084 one that runs gets the messages, and one that is unknown begins with them")
  void unknownOrRunning() {
    startNode();
    restart("one");
    world.awaitEvent("f", EventKind.QueueSubscribed.class);
    restart("two", "b");

    assertThat(world.output("f")).isEqualTo("one b after none, no status");
    assertThat(admin().listExecutions("f")).containsExactly(1L);
  }

  @Test
  @DisplayName("EN-084 a client that waits after a restart waits for the new execution")
  void statusAtOnce() {
    first();
    world.stopRuntimes();

    world.client().start(FLOW, "f", "two", RESTART);

    assertThat(world.client().status("f")).isInstanceOf(OrchestrationStatus.Running.class);
    assertThat(admin().instanceInfo("f").status()).isEqualTo(ExecutionStatus.RUNNING);
    startNode();
    world.client().enqueue("f", MAIL, "b");
    assertThat(world.output("f")).isEqualTo("two b after a, no status");
  }

  @Test
  @DisplayName(
      "EN-084 a delayed restart begins when its time has come, with what was sent meanwhile")
  void delayed() {
    first();

    world.client().start(FLOW, "f", "two", RESTART.withDelay(Duration.ofHours(1)));
    world.client().enqueue("f", MAIL, "b");
    world.advance(Duration.ofMinutes(59));
    assertThat(world.history("f", 2)).isEmpty();
    world.advance(Duration.ofMinutes(1));

    assertThat(world.output("f")).isEqualTo("two b after a, no status");
  }

  @Test
  @DisplayName("EN-084 a cancel counts for the execution that was current when it was sent")
  void cancels() {
    first();
    world.stopRuntimes();
    world
        .store()
        .enqueueForOrchestrator(new WorkItem.CancelInstance("f", "old", null), Duration.ZERO);
    restart("two", "b");
    startNode();
    assertThat(world.output("f")).isEqualTo("two b after a, no status");

    world.stopRuntimes();
    restart("three", "c");
    world.client().cancel("f", "new");
    startNode();
    assertThat(world.failure("f")).contains("new");
  }

  @Test
  @DisplayName("EN-084 another orchestration may be started under the id, in another version")
  void otherOrchestration() {
    first();
    world.start(node -> node.orchestration(OTHER, "2.0.0", (ctx, in) -> "other " + in));

    world.client().start(OTHER, "f", "two", RESTART);

    assertThat(world.output("f")).isEqualTo("other two");
    assertThat(admin().instanceInfo("f").code().orchestration().name()).isEqualTo("Other");
  }

  @Test
  @DisplayName("EN-084 a child that a client restarts does not answer its parent again")
  void child() {
    world.start(node ->
        node.orchestration(
                FLOW,
                (ctx, in) ->
                    ctx.call(OTHER, in, ChildOptions.instanceId("kid")).await()
                        + ctx.dequeue(MAIL).await())
            .orchestration(OTHER, (ctx, in) -> in + "!"));
    world.client().start(FLOW, "f", "first");
    world.awaitEvent("f", EventKind.SubOrchestrationCompleted.class);

    world.client().start(OTHER, "kid", "second", RESTART);
    assertThat(world.output("kid")).isEqualTo("second!");
    world.client().enqueue("f", MAIL, "?");

    assertThat(world.output("f")).isEqualTo("first!?");
    assertThat(world.events("f", EventKind.SubOrchestrationCompleted.class)).hasSize(1);
  }

  @Test
  @DisplayName("EN-087 of twenty clients that restart one begins, and no client gets an error")
  void twenty() throws Exception {
    first();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 2; round <= 11; round++) {
        CyclicBarrier together = new CyclicBarrier(20);
        List<Future<?>> calls = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
          String input = "again-" + caller;
          calls.add(
              threads.submit(() -> {
                together.await();
                world.client().start(FLOW, "f", input, RESTART);
                return true;
              }));
        }
        for (Future<?> call : calls) {
          call.get();
        }
        assertThat(world.client().status("f")).isInstanceOf(OrchestrationStatus.Running.class);
        world.client().enqueue("f", MAIL, "m" + round);
        assertThat(world.output("f")).startsWith("again-").contains(" m" + round + " after ");
        assertThat(admin().listExecutions("f")).hasSize(round);
      }
    }
  }

  @Test
  @DisplayName("EN-088 old executions remain after a restart, are listed, and pruning removes them")
  void past() {
    first();
    restart("two", "b");
    world.output("f");
    restart("three", "c");
    world.output("f");

    assertThat(admin().listExecutions("f")).containsExactly(1L, 2L, 3L);
    assertThat(world.history("f", 1)).isNotEmpty();
    admin().pruneExecutions("f", new PruneOptions(1, null, 0));
    assertThat(admin().listExecutions("f")).containsExactly(3L);
    assertThat(world.history("f", 1)).isEmpty();
  }
}
