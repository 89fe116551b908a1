package io.duroxide.runtime;

import static io.duroxide.runtime.Turns.ORDER_7;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.replay.Execution;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store that leaves out what an execution begins with")
class NotWholeTest {
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);

  private final List<String> ran = new ArrayList<>();
  private final Node node =
      new Node(
          OrchestrationRegistry.builder()
              .register(
                  ORDER,
                  (ctx, in) -> {
                    ran.add(in);
                    ctx.waitForEvent("go").await();
                    return in.equals("first") ? ctx.continueAsNew("second") : in;
                  })
              .build());

  @AfterEach
  void close() {
    node.close();
  }

  /** The item as a store would send that takes the kept execution for the one that begins. */
  private static LockedOrchestration rest(LockedOrchestration locked, long after) {
    OrchestrationItem item = locked.item();
    return new LockedOrchestration(
        new OrchestrationItem(
            item.execution(),
            item.orchestrationName(),
            item.version(),
            new StoredHistory.Rest(
                after,
                item.history().events().stream().filter(event -> event.id() > after).toList()),
            item.messages()),
        locked.lockToken(),
        locked.attemptCount());
  }

  /** The item as a store would send whose clock was set back after the continuation was sent. */
  private static LockedOrchestration withoutContinuation(LockedOrchestration locked) {
    OrchestrationItem item = locked.item();
    List<WorkItem> others =
        item.messages().items().stream()
            .filter(message -> !(message instanceof WorkItem.ContinueAsNew))
            .toList();
    return new LockedOrchestration(
        new OrchestrationItem(
            item.execution(),
            item.orchestrationName(),
            item.version(),
            item.history(),
            new MessageBatch(others, null)),
        locked.lockToken(),
        locked.attemptCount());
  }

  @Test
  @DisplayName("RL-039 messages that came without the continuation they are for are not lost")
  void continuationHidden() throws InterruptedException {
    node.send(new WorkItem.StartOrchestration(ORDER_7, "Order", "first", null, null));
    node.step();
    node.send(Turns.go());
    node.step();
    node.send(Turns.go());
    ran.clear();
    node.process(withoutContinuation(node.fetch().orElseThrow()));
    assertThat(ran).isEmpty();

    node.advance(Backoffs.HANDED_BACK);
    node.step();
    assertThat(ran).containsExactly("second");
    assertThat(node.history(2)).anyMatch(event -> event.kind() instanceof EventKind.ExternalEvent);
  }

  @Test
  @DisplayName("a continuation that never comes holds messages up only for so many attempts")
  void continuationLost() throws InterruptedException {
    node.send(new WorkItem.StartOrchestration(ORDER_7, "Order", "first", null, null));
    node.step();
    node.send(Turns.go());
    node.step();
    LockedOrchestration last = withoutContinuation(node.fetch().orElseThrow());
    node.process(new LockedOrchestration(last.item(), last.lockToken(), 11));

    node.advance(Backoffs.HANDED_BACK);
    assertThat(node.fetch()).isEmpty();
  }

  @Test
  @DisplayName(
      "RL-007 a first turn without the whole item is handed back uncounted, unseen by code")
  void handedBack() throws InterruptedException {
    node.send(new WorkItem.StartOrchestration(ORDER_7, "Order", "first", null, null));
    node.step();
    Execution kept = node.cache.take(new ExecutionKey(ORDER_7, 1)).orElseThrow();
    node.send(Turns.go());
    node.step();
    node.cache.keep(kept, "token");
    ran.clear();
    LockedOrchestration begins = node.fetch().orElseThrow();
    node.process(rest(begins, kept.lastEventId()));

    assertThat(ran).isEmpty();
    assertThat(node.cache.size()).isZero();
    LockedOrchestration again = node.fetch().orElseThrow();
    assertThat(again.attemptCount()).isEqualTo(begins.attemptCount());
    node.process(again);
    assertThat(ran).containsExactly("second");
  }
}
