package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** KV: what a fetch leaves out because its caller keeps an execution, and what it must not. */
public abstract class KeptExecutionTck extends KeyValueSteps {
  /** For subclasses. */
  protected KeptExecutionTck() {}

  /** Fetches as a caller that keeps this much of the execution. */
  private static OrchestrationFetch keeping(CachedHistory.Tip tip, Duration poll) {
    return OrchestrationFetch.of(LOCK, poll).withCached(execution -> tip);
  }

  private LockedOrchestration fetchedWith(CachedHistory.Tip tip) {
    return present(fetch(provider, keeping(tip, Duration.ZERO)));
  }

  /** An instance whose first execution has written a value; the commit that did. */
  private CachedHistory.Tip valueSet(String instance) {
    create(instance);
    poke(instance);
    LockedOrchestration locked = fetched(instance);
    ack(locked, append(locked, identity(), set("k", "v")));
    return new CachedHistory.Tip(2, locked.lockToken());
  }

  /** Ends the first execution for its continuation; the commit that did. */
  private CachedHistory.Tip ended(String instance) {
    poke(instance);
    LockedOrchestration locked = fetched(instance);
    ack(
        locked,
        append(
            locked,
            identity().withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"),
            new EventKind.OrchestrationContinuedAsNew("{}")));
    return new CachedHistory.Tip(3, locked.lockToken());
  }

  /** Checks that the second execution can begin: all events of the first, and its values. */
  private static void isWhole(LockedOrchestration locked) {
    assertThat(locked.item().execution()).isEqualTo(first("x"));
    assertThat(history(locked)).hasSize(3);
    assertThat(values(locked)).isEqualTo(Map.of("k", new KvEntry("v", WRITTEN)));
  }

  @Test
  @DisplayName("TCK-KV-60 a batch that continues comes whole although its execution is kept")
  void keptBeforeTheEnd() {
    CachedHistory.Tip kept = valueSet("x");
    ended("x");
    enqueue(Items.continueAsNew("x"));

    LockedOrchestration locked = fetchedWith(kept);
    isWhole(locked);
    ack(locked, firstTurn(new ExecutionKey("x", 2)));
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "v"));
  }

  @Test
  @DisplayName("TCK-KV-60 the same for a caller that keeps the newest commit, and for an older one")
  void keptNewestAndOlder() {
    CachedHistory.Tip kept = valueSet("x");
    CachedHistory.Tip newest = ended("x");
    poke("x");
    enqueue(Items.continueAsNew("x"));

    for (CachedHistory.Tip tip :
        List.of(newest, kept, new CachedHistory.Tip(1, kept.commitToken()))) {
      LockedOrchestration locked = fetchedWith(tip);
      isWhole(locked);
      provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, true);
    }
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-KV-60 the same for what another handle has committed")
  void keptElsewhere() {
    CachedHistory.Tip kept = valueSet("x");
    Provider other = secondHandle();
    poke("x");
    LockedOrchestration last = present(fetch(other, OrchestrationFetch.of(LOCK, Duration.ZERO)));
    other.commitTurn(
        new TurnSource.Fetched(last.lockToken()),
        append(
                last,
                identity().withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"),
                new EventKind.OrchestrationContinuedAsNew("{}"))
            .withOrchestratorItems(List.of(Items.continueAsNew("x"))),
        WorkClaim.NONE);

    isWhole(fetchedWith(kept));
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-KV-61 a fetch that waits for the commit which continues gets a whole item")
  void waitingFetch() throws Exception {
    CachedHistory.Tip kept = valueSet("x");
    poke("x");
    LockedOrchestration last = fetched("x");
    Callable<LockedOrchestration> waits =
        () -> present(fetch(provider, keeping(kept, Duration.ofSeconds(30))));
    Future<LockedOrchestration> waiting = race().start(waits);
    ack(
        last,
        append(
                last,
                identity().withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"),
                new EventKind.OrchestrationContinuedAsNew("{}"))
            .withOrchestratorItems(List.of(Items.continueAsNew("x"))));

    isWhole(waiting.get());
  }

  @Test
  @DisplayName("TCK-KV-61 a start for an instance that has ended comes whole")
  void startAfterTheEnd() {
    CachedHistory.Tip kept = valueSet("x");
    change("x", ExecutionStatus.COMPLETED, new EventKind.OrchestrationCompleted("out"));
    enqueue(Items.start("x"));

    isWhole(fetchedWith(kept));
  }

  @Test
  @DisplayName("TCK-KV-62 what was left out is told from what is empty")
  void leftOutIsNotEmpty() {
    create("empty");
    poke("empty");
    LockedOrchestration nothing = fetchedWith(new CachedHistory.Tip(1, "of somebody else"));
    assertThat(nothing.item().history())
        .isEqualTo(StoredHistory.of(List.of(Events.started(first("empty")))));
    drain(nothing);

    CachedHistory.Tip kept = valueSet("x");
    poke("x");
    assertThat(fetchedWith(kept).item().history())
        .satisfiesAnyOf(
            history -> assertThat(history).isEqualTo(new StoredHistory.Rest(2, List.of())),
            history -> assertThat(history).isInstanceOf(StoredHistory.Whole.class));
  }
}
