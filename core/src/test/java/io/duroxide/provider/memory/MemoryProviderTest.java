package io.duroxide.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryProviderTest {
  private final Store store = new Store();
  private final MemoryProvider provider = store.provider;

  @Test
  @DisplayName("a turn is committed once, and its effects appear together")
  void turn() throws InterruptedException {
    store.start("a");
    LockedOrchestration locked = store.fetched();
    TurnCommit commit =
        TurnCommit.events(
                1,
                List.of(
                    store.started("a"),
                    store.event("a", 2, new EventKind.KeyValueSet("k", "v", store.clock.instant())),
                    store.event("a", 3, new EventKind.CustomStatusUpdated("half"))),
                ExecutionMetadata.started("Order", "1.0.0")
                    .withStatus(ExecutionStatus.COMPLETED, "done"))
            .withWorkerItems(List.of(Store.activity("a", 4, ActivityRouting.ANYWHERE)));
    provider.commitTurn(new TurnSource.Fetched(locked.lockToken()), commit, WorkClaim.NONE);
    assertThat(provider.read("a")).hasSize(3);
    assertThat(provider.kvAllValues("a")).containsEntry("k", "v");
    assertThat(provider.status("a").orElseThrow().output()).isEqualTo("done");
    assertThat(provider.customStatus("a", 0).orElseThrow().version()).isEqualTo(1);
    assertThat(store.fetchWork().orElseThrow().attemptCount()).isEqualTo(1);
    assertLost(() ->
        provider.commitTurn(new TurnSource.Fetched(locked.lockToken()), commit, WorkClaim.NONE));
  }

  @Test
  @DisplayName("a lock ends on the store's clock, and the former holder loses it")
  void expiry() throws InterruptedException {
    store.start("a");
    LockedOrchestration first = store.fetched();
    assertThat(store.fetch()).isEmpty();
    store.advance(Store.LOCK);
    LockedOrchestration second = store.fetched();
    assertThat(second.attemptCount()).isEqualTo(2);
    assertLost(() -> provider.abandonOrchestrationItem(first.lockToken(), Duration.ZERO, true));
    provider.abandonOrchestrationItem(second.lockToken(), Duration.ofSeconds(1), true);
    store.poke("a");
    assertThat(store.fetch()).isEmpty();
    store.advance(Duration.ofSeconds(1));
    assertThat(store.fetched().item().messages().items()).hasSize(2);
  }

  @Test
  @DisplayName("messages without an instance wait for its start; queue messages alone are dropped")
  void context() throws InterruptedException {
    store.send(new WorkItem.CancelInstance("a", "no", null));
    store.send(new WorkItem.QueueMessage("b", "q", "1"));
    store.create("c");
    store.poke("c");
    assertThat(store.fetched().item().instance()).isEqualTo("c");
    assertThat(store.fetch()).isEmpty();
    store.start("a");
    store.start("b");
    assertThat(store.fetched().item().messages().items()).hasSize(2);
    assertThat(store.fetched().item().messages().items()).hasSize(1);
  }

  @Test
  @DisplayName("a session is served by its owner until the lease ends")
  void sessions() throws InterruptedException {
    ActivityRouting bound = new ActivityRouting("s", null);
    provider.enqueueForWorker(Store.activity("a", 1, bound));
    provider.enqueueForWorker(Store.activity("a", 2, bound));
    assertThat(store.fetchWork()).isEmpty();
    SessionFetchConfig one = new SessionFetchConfig("one", Duration.ofSeconds(5));
    SessionFetchConfig two = new SessionFetchConfig("two", Duration.ofSeconds(5));
    LockedWork first = provider.fetchWorkItem(Store.WORK.withSession(one)).orElseThrow();
    assertThat(first.key().activityId()).isEqualTo(1);
    assertThat(provider.fetchWorkItem(Store.WORK.withSession(two))).isEmpty();
    store.advance(Duration.ofSeconds(5));
    assertThat(provider.fetchWorkItem(Store.WORK.withSession(two))).isPresent();
  }

  @Test
  @DisplayName("a waiting fetch returns when the clock brings its message")
  void longPoll() throws Exception {
    provider.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("a", "Order", "{}", null, null), Duration.ofMinutes(5));
    AtomicInteger found = new AtomicInteger();
    Thread waiter =
        Thread.ofVirtual()
            .start(() -> {
              try {
                OrchestrationFetch patient =
                    OrchestrationFetch.of(Store.LOCK, Duration.ofSeconds(30));
                provider.fetchOrchestrationItem(patient).ifPresent(any -> found.set(1));
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
            });
    store.advance(Duration.ofMinutes(5));
    waiter.join(Duration.ofSeconds(10));
    assertThat(found).hasValue(1);
  }

  @Test
  @DisplayName("a closed store refuses, and says that another may do")
  void closed() {
    provider.close();
    assertThatThrownBy(store::fetch)
        .isInstanceOfSatisfying(
            ProviderException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProviderException.Kind.UNAVAILABLE));
  }

  private static void assertLost(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProviderException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST));
  }
}
