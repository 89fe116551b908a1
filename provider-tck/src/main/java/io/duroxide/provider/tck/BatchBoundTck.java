package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: what one fetch delivers is bounded, and what it leaves out stays where it was. */
public abstract class BatchBoundTck extends ProviderTck {
  private static final int BEYOND = 3;

  /** For subclasses. */
  protected BatchBoundTck() {}

  private static List<WorkItem> messages(String instance, int count) {
    List<WorkItem> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      messages.add(Items.message(instance, "m" + i));
    }
    return messages;
  }

  private static WorkItem large(String instance, String name, double share) {
    return Items.message(instance, name + "x".repeat((int) (BatchBound.BYTES * share)));
  }

  @Test
  @DisplayName("TCK-QUEUE-60 a batch has so many messages; the others follow in order")
  void count() {
    create("x");
    List<WorkItem> sent = messages("x", BatchBound.MESSAGES + BEYOND);
    provider.enqueueForOrchestrator(sent);
    LockedOrchestration first = fetched("x");
    assertThat(messages(first)).isEqualTo(sent.subList(0, BatchBound.MESSAGES));
    WorkItem later = Items.message("x", "later");
    enqueue(later);

    drain(first);

    LockedOrchestration second = fetched("x");
    List<WorkItem> rest = new ArrayList<>(sent.subList(BatchBound.MESSAGES, sent.size()));
    rest.add(later);
    assertThat(messages(second)).isEqualTo(rest);
    drain(second);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-61 a batch has so many bytes; one message above them comes alone")
  void bytes() {
    create("x");
    List<WorkItem> sent =
        List.of(
            large("x", "a", 0.4), large("x", "b", 0.4), large("x", "c", 1.5), large("x", "d", 0.1));
    sent.forEach(this::enqueue);
    List<List<WorkItem>> batches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      LockedOrchestration locked = fetched("x");
      batches.add(messages(locked));
      drain(locked);
    }

    assertThat(batches)
        .containsExactly(sent.subList(0, 2), List.of(sent.get(2)), List.of(sent.get(3)));
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-61 a fetch of several instances has a bound in bytes too")
  void bytesOfSeveral() throws InterruptedException {
    int count = 6;
    for (int i = 0; i < count; i++) {
      create("x" + i);
    }
    for (int i = 0; i < count; i++) {
      enqueue(large("x" + i, "", 0.9));
    }
    OrchestrationFetch request = OrchestrationFetch.of(LOCK, Duration.ZERO);
    List<String> fetched = new ArrayList<>();
    while (fetched.size() < count) {
      List<LockedOrchestration> some = provider.fetchOrchestrationItems(request, count);
      assertThat(some).isNotEmpty();
      assertThat(some.size() * BatchBound.BYTES * 0.9).isLessThanOrEqualTo(BatchBound.FETCH_BYTES);
      some.forEach(each -> fetched.add(each.item().instance()));
    }

    assertThat(fetched).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("TCK-QUEUE-62 a start behind the bound is in the first batch")
  void startBehind() {
    List<WorkItem> held = new ArrayList<>();
    for (int i = 0; i < BatchBound.MESSAGES + BEYOND; i++) {
      held.add(Items.raised("x", "m" + i));
    }
    provider.enqueueForOrchestrator(held);
    start("x");

    LockedOrchestration first = fetched("x");

    assertThat(messages(first)).hasSize(BatchBound.MESSAGES + 1).endsWith(Items.start("x"));
    assertThat(messages(first).subList(0, BatchBound.MESSAGES))
        .isEqualTo(held.subList(0, BatchBound.MESSAGES));
    ack(first, firstTurn("x"));
    assertThat(messages(fetched("x"))).isEqualTo(held.subList(BatchBound.MESSAGES, held.size()));
  }

  @Test
  @DisplayName("TCK-QUEUE-62 so are a continuation and a cancel")
  void othersBehind() {
    create("x");
    endForContinue("x");
    provider.enqueueForOrchestrator(messages("x", BatchBound.MESSAGES + BEYOND));
    enqueue(Items.continueAsNew("x"));
    enqueue(Items.message("x", "between"));
    enqueue(Items.cancel("x"));

    LockedOrchestration first = fetched("x");

    assertThat(messages(first))
        .hasSize(BatchBound.MESSAGES + 2)
        .endsWith(Items.continueAsNew("x"), Items.cancel("x"));
    drain(first);
    assertThat(messages(fetched("x"))).hasSize(BEYOND + 1).endsWith(Items.message("x", "between"));
  }

  @Test
  @DisplayName("TCK-QUEUE-63 a timer left out survives the commit though its position is smaller")
  void timerLeftOut() {
    create("x");
    WorkItem timer = Items.timer("x", 2, provider.now().plusSeconds(60));
    poke("x");
    ack(fetched("x"), TurnCommit.nothing(1).withOrchestratorItems(List.of(timer)));
    List<WorkItem> sent = messages("x", BatchBound.MESSAGES + BEYOND);
    provider.enqueueForOrchestrator(sent);
    advance(120_000);
    LockedOrchestration first = fetched("x");
    assertThat(messages(first)).isEqualTo(sent.subList(0, BatchBound.MESSAGES));

    drain(first);

    List<WorkItem> rest = new ArrayList<>(sent.subList(BatchBound.MESSAGES, sent.size()));
    rest.add(timer);
    LockedOrchestration second = fetched("x");
    assertThat(messages(second)).isEqualTo(rest);
    assertThat(second.attemptCount()).isEqualTo(1);
  }

  @Test
  @Needs.Unloadable
  @DisplayName("TCK-QUEUE-70 an instance that cannot be loaded keeps no other from being served")
  void unloadable() throws InterruptedException {
    create("bad");
    create("good");
    poke("bad");
    poke("good");
    fixture().makeUnloadable("bad");
    List<LockedOrchestration> both =
        provider.fetchOrchestrationItems(OrchestrationFetch.of(LOCK, Duration.ZERO), 2);
    if (both.size() == 1) {
      both = List.of(both.getFirst(), fetched());
    }

    assertThat(both).extracting(each -> each.item().instance()).containsExactly("bad", "good");
    LockedOrchestration bad = both.getFirst();
    assertThat(bad.item().history()).isInstanceOf(StoredHistory.NotLoaded.class);
    assertThat(messages(bad)).containsExactly(Items.raised("bad", "poke"));
    assertThat(history(both.getLast())).hasSize(1);
    drain(both.getLast());
    provider.abandonOrchestrationItem(bad.lockToken(), timeout(), false);
    nothingToFetch();
    letLocksExpire();
    LockedOrchestration again = fetched("bad");
    assertThat(again.attemptCount()).isEqualTo(2);
    drain(again);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-63 attempts are counted on what was delivered")
  void attempts() {
    create("x");
    List<WorkItem> sent = messages("x", BatchBound.MESSAGES + BEYOND);
    provider.enqueueForOrchestrator(sent);
    provider.abandonOrchestrationItem(fetched("x").lockToken(), Duration.ZERO, false);

    LockedOrchestration again = fetched("x");
    assertThat(messages(again)).isEqualTo(sent.subList(0, BatchBound.MESSAGES));
    assertThat(again.attemptCount()).isEqualTo(2);
    drain(again);

    assertThat(fetched("x").attemptCount()).isEqualTo(1);
  }
}
