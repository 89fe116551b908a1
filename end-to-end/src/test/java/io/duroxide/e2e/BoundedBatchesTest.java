package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrphanQueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** More messages than one batch holds. */
class BoundedBatchesTest extends EachStoreScenario {
  private static final int MANY = 3000;
  private static final EventQueue<Integer> MAIL = EventQueue.of("mail", Integer.class);
  private static final Orchestration<Integer, String> READER =
      Orchestration.of("Reader", Integer.class, String.class);

  private void node(OrchestrationHandler<Integer, String> code) {
    world.start(
        world.options().orphanQueuePolicy(OrphanQueuePolicy.HOLD),
        node -> node.orchestration(READER, code));
  }

  private void send(int from, int to) {
    List<WorkItem> messages = new ArrayList<>();
    for (int i = from; i < to; i++) {
      messages.add(new WorkItem.QueueMessage("x", MAIL.name(), Integer.toString(i)));
    }
    world.store().enqueueForOrchestrator(messages);
  }

  /** Reads this many messages; the first one that is out of order is the result. */
  private static String readInOrder(OrchestrationContext ctx, int from, int to) {
    for (int expected = from; expected < to; expected++) {
      int next = ctx.dequeue(MAIL).await();
      if (next != expected) {
        return "read " + next + " instead of " + expected;
      }
    }
    return "all in order";
  }

  @Test
  @DisplayName("RL-029 messages that were held for the start are all read in order")
  void held() {
    send(0, MANY);
    node((ctx, from) -> readInOrder(ctx, 0, MANY));
    world.client().start(READER, "x", 0);

    assertThat(world.output("x")).isEqualTo("all in order");
    assertThat(messages().total()).isZero();
  }

  @Test
  @DisplayName("RL-030 RL-036 continue-as-new before many messages that wait drops none of them")
  void continued() {
    int each = 700;
    node((ctx, from) -> {
      String read = readInOrder(ctx, from, Math.min(MANY, from + each));
      if (read.equals("all in order") && from + each < MANY) {
        ctx.continueAsNew(from + each);
      }
      return read;
    });
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.QueueSubscribed.class);
    send(0, MANY);

    assertThat(world.output("x")).isEqualTo("all in order");
    assertThat(messages().total()).isZero();
  }

  @Test
  @DisplayName("RL-031 a cancel behind many messages acts in the next turn")
  void cancelled() {
    node((ctx, from) -> {
      ctx.waitForEvent("never").await();
      return "";
    });
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    world.stopRuntimes();
    send(0, MANY);
    world.client().cancel("x", "enough");
    node((ctx, from) -> {
      ctx.waitForEvent("never").await();
      return "";
    });

    assertThat(world.end("x")).isInstanceOf(OrchestrationStatus.Failed.class);
    assertThat(world.events("x", EventKind.QueueEventDelivered.class).size()).isLessThan(MANY / 2);
  }

  @Test
  @DisplayName("RL-032 timers and messages over several batches keep their order, each once")
  void timersBetween() {
    OrchestrationHandler<Integer, String> code =
        (ctx, from) -> {
          List<String> fired = new ArrayList<>();
          List<DurableFuture<Integer>> timers =
              IntStream.range(0, 20)
                  .mapToObj(i ->
                      ctx.async(branch -> {
                        branch.timer(Duration.ofMinutes(20 - i)).await();
                        fired.add(Integer.toString(20 - i));
                        return i;
                      }))
                  .toList();
          String read = readInOrder(ctx, 0, MANY);
          ctx.all(timers);
          return read + ", timers " + String.join(" ", fired);
        };
    node(code);
    world.client().start(READER, "x", 0);
    world.until(() -> world.events("x", EventKind.TimerCreated.class).size() == 20);
    world.stopRuntimes();
    send(0, MANY / 2);
    world.advance(Duration.ofMinutes(10).plusSeconds(30));
    send(MANY / 2, MANY);
    world.advance(Duration.ofDays(1));
    node(code);

    assertThat(world.output("x"))
        .isEqualTo("all in order, timers 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
    assertThat(messages().total()).isZero();
    assertThat(world.events("x", EventKind.TimerFired.class)).hasSize(20);
  }
}
