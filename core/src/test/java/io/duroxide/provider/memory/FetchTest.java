package io.duroxide.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a fetch of the in-memory provider returns")
class FetchTest {
  private static final SemverRange ALL = new SemverRange(Semver.of(0, 0, 0), Semver.of(9, 0, 0));

  private final Store store = new Store();
  private final MemoryProvider provider = store.provider;

  @Test
  @DisplayName("only the events that the caller has not kept, and no KV snapshot then")
  void cachedHistory() throws InterruptedException {
    store.create("a");
    String token =
        commit(
            "a", store.event("a", 2, new EventKind.KeyValueSet("k", "v", store.clock.instant())));
    store.poke("a");

    OrchestrationItem kept = fetchedAndAbandoned(keeping(2, token));
    assertThat(kept.history()).isEqualTo(new StoredHistory.Rest(2, List.of()));
    assertThat(fetchedAndAbandoned(keeping(1, token)).history().events())
        .extracting("id")
        .containsExactly(2L);
    assertThat(fetchedAndAbandoned(Store.FETCH).history().events()).hasSize(2);
  }

  @Test
  @DisplayName("the whole history when somebody else committed since")
  void staleCache() throws InterruptedException {
    store.create("a");
    String token = commit("a", store.event("a", 2, new EventKind.KeyValuesCleared()));
    commit("a", store.event("a", 3, new EventKind.KeyValuesCleared()));
    store.poke("a");

    OrchestrationItem item = fetchedAndAbandoned(keeping(2, token));
    assertThat(item.history()).isInstanceOf(StoredHistory.Whole.class);
    assertThat(item.history().events()).hasSize(3);
  }

  @Test
  @DisplayName("the whole history when the instance was deleted and started again")
  void recreated() throws InterruptedException {
    store.create("a");
    String token = commit("a", store.event("a", 2, new EventKind.KeyValuesCleared()));
    provider.management().orElseThrow().deleteInstance("a", true);
    store.create("a");
    commit("a", store.event("a", 2, new EventKind.KeyValuesCleared()));
    store.poke("a");

    assertThat(fetchedAndAbandoned(keeping(2, token)).history().events()).hasSize(2);
  }

  @Test
  @DisplayName("no lock and no attempt when the caller's cache fails")
  void failingCache() throws InterruptedException {
    store.create("a");
    store.create("b");
    store.poke("a");
    store.poke("b");
    OrchestrationFetch failing =
        Store.FETCH.withCached(key -> {
          if (key.instance().equals("b")) {
            throw new IllegalStateException("cache");
          }
          return null;
        });
    assertThatThrownBy(() -> provider.fetchOrchestrationItems(failing, 2)).hasMessage("cache");
    List<LockedOrchestration> both = provider.fetchOrchestrationItems(Store.FETCH, 5);
    assertThat(both).extracting(LockedOrchestration::attemptCount).containsExactly(1, 1);
  }

  @Test
  @DisplayName("the handler of a recorded execution decides, then that of its successor")
  void handlers() throws InterruptedException {
    store.start("a");
    assertThat(provider.fetchOrchestrationItem(knowing("Order", "2.0.0"))).isEmpty();
    OrchestrationFetch one = knowing("Order", "1.0.0");
    LockedOrchestration first = provider.fetchOrchestrationItem(one).orElseThrow();
    WorkItem next =
        new WorkItem.ContinueAsNew("a", "Order", "{}", "2.0.0", null, Inheritance.NOTHING, null);
    provider.commitTurn(
        new TurnSource.Fetched(first.lockToken()),
        TurnCommit.events(
                1,
                List.of(store.started("a")),
                ExecutionMetadata.started("Order", "1.0.0")
                    .withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"))
            .withOrchestratorItems(List.of(next)),
        WorkClaim.NONE);
    assertThat(provider.fetchOrchestrationItem(one)).isEmpty();
    assertThat(provider.fetchOrchestrationItem(knowing("Order", "2.0.0"))).isPresent();
  }

  @Test
  @DisplayName("a start without a version needs the name alone")
  void unversionedStart() throws InterruptedException {
    store.send(new WorkItem.StartOrchestration("a", "Order", "{}", null, null));
    assertThat(provider.fetchOrchestrationItem(knowing("Other", "1.0.0"))).isEmpty();
    LockedOrchestration locked =
        provider.fetchOrchestrationItem(knowing("Order", "1.0.0")).orElseThrow();
    assertThat(locked.item().version()).isEqualTo("unknown");
  }

  @Test
  @DisplayName("several instances, oldest first, and several activities in queue order")
  void batches() throws InterruptedException {
    provider.enqueueForOrchestrator(
        List.of(
            new WorkItem.StartOrchestration("b", "Order", "{}", null, null),
            new WorkItem.QueueMessage("b", "q", "1"),
            new WorkItem.StartOrchestration("a", "Order", "{}", null, null)));
    assertThat(provider.fetchOrchestrationItems(Store.FETCH, 3))
        .extracting(locked -> locked.item().instance())
        .containsExactly("b", "a");

    for (long id = 1; id <= 4; id++) {
      provider.enqueueForWorker(Store.activity("a", id, ActivityRouting.ANYWHERE));
    }
    assertThat(provider.fetchWorkItems(Store.WORK, 3))
        .extracting(FetchTest::id)
        .containsExactly(1L, 2L, 3L);
    assertThat(provider.fetchWorkItems(Store.WORK, 0)).isEmpty();
  }

  @Test
  @DisplayName("no more new sessions than asked for, but every owned one")
  void newSessions() throws InterruptedException {
    for (long id = 1; id <= 3; id++) {
      ActivityRouting bound = new ActivityRouting("s" + id, null);
      provider.enqueueForWorker(Store.activity("a", id, bound));
      provider.enqueueForWorker(Store.activity("a", id + 10, bound));
    }
    WorkFetch two = Store.WORK.withSession(new SessionFetchConfig("one", Store.LOCK, 2));
    WorkFetch owned = Store.WORK.withSession(new SessionFetchConfig("one", Store.LOCK, 0));
    assertThat(provider.fetchWorkItems(two, 2)).extracting(FetchTest::id).containsExactly(1L, 11L);
    assertThat(provider.fetchWorkItems(owned, 9)).isEmpty();
    assertThat(provider.fetchWorkItems(two, 3))
        .extracting(FetchTest::id)
        .containsExactly(2L, 12L, 3L);
    assertThat(provider.fetchWorkItems(owned, 9)).extracting(FetchTest::id).containsExactly(13L);
  }

  @Test
  @DisplayName("only activities that the worker has registered")
  void activityNames() throws InterruptedException {
    provider.enqueueForWorker(Store.activity("a", 1, ActivityRouting.ANYWHERE));
    assertThat(provider.fetchWorkItem(Store.WORK.withActivityNames(Set.of("Ship")))).isEmpty();
    assertThat(provider.fetchWorkItem(Store.WORK.withActivityNames(Set.of("Charge")))).isPresent();
  }

  @Test
  @DisplayName("what was visible, also while a clock set back by a second stands still")
  void clockSetBack() throws InterruptedException {
    store.start("a");
    store.advance(Duration.ofSeconds(-1));
    assertThat(store.fetch()).isPresent();
    assertThat(provider.lookAtClock()).isEmpty();
  }

  private static long id(LockedWork locked) {
    return locked.key().activityId();
  }

  private String commit(String instance, Event event) throws InterruptedException {
    store.poke(instance);
    String token = store.fetched().lockToken();
    provider.commitTurn(
        new TurnSource.Fetched(token),
        TurnCommit.events(
            1,
            List.of(event),
            ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "done")),
        WorkClaim.NONE);
    return token;
  }

  private OrchestrationItem fetchedAndAbandoned(OrchestrationFetch request)
      throws InterruptedException {
    LockedOrchestration locked = provider.fetchOrchestrationItem(request).orElseThrow();
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);
    return locked.item();
  }

  private static OrchestrationFetch keeping(long eventId, String commitToken) {
    CachedHistory.Tip tip = new CachedHistory.Tip(eventId, commitToken);
    return Store.FETCH.withCached(key -> key.equals(new ExecutionKey("a", 1)) ? tip : null);
  }

  private static OrchestrationFetch knowing(String name, String version) {
    HandlerFilter handlers = new HandlerFilter(Map.of(name, Set.of(version)));
    return Store.FETCH.withFilter(new DispatcherCapabilityFilter(List.of(ALL), handlers));
  }
}
