package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** EXP: what was abandoned comes back, at once or after its delay (7.4, 7.10). */
public abstract class AbandonTck extends ProviderTck {
  private static final Duration DELAY = Duration.ofMillis(500);
  private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

  /** For subclasses. */
  protected AbandonTck() {}

  @Test
  @DisplayName("TCK-EXP-02 an abandoned instance is fetchable at once")
  void atOnce() {
    start("x");
    LockedOrchestration locked = fetched("x");

    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);

    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-10 an abandoned activity is fetchable at once, with another token")
  void workAtOnce() {
    act("x", 2);
    LockedWork locked = work(2);

    provider.abandonWorkItem(locked.lockToken(), Duration.ZERO, false);

    assertThat(work(2).lockToken()).isNotEqualTo(locked.lockToken());
  }

  @Test
  @DisplayName("TCK-EXP-11 an activity abandoned with a delay comes back after it")
  void workDelayed() {
    act("x", 2);
    provider.abandonWorkItem(work(2).lockToken(), DELAY, false);
    noWork();

    advance(DELAY.plus(SLACK));

    work(2);
  }

  @Test
  @DisplayName("TCK-EXP-20 an instance abandoned with a delay comes back after it")
  void delayed() {
    start("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), DELAY, false);
    nothingToFetch();

    advance(DELAY.plus(SLACK));

    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-21 what arrives during the delay waits and comes after the old")
  void arrivalDuringDelay() {
    start("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), DELAY, false);
    enqueue(Items.raised("x", "new"));
    nothingToFetch();

    advance(DELAY.plus(SLACK));

    assertThat(messages(fetched("x"))).containsExactly(Items.start("x"), Items.raised("x", "new"));
  }

  @Test
  @DisplayName("TCK-EXP-22 abandoning without a delay shows no hidden timer early")
  void hiddenTimer() {
    create("x");
    WorkItem timer = Items.timer("x", 2, provider.now().plus(DELAY.multipliedBy(4)));
    enqueue(timer);
    poke("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), Duration.ZERO, false);

    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.raised("x", "poke"));
    drain(locked);
    nothingToFetch();

    advance(DELAY.multipliedBy(4).plus(SLACK));
    assertThat(messages(fetched("x"))).containsExactly(timer);
  }

  @Test
  @DisplayName("TCK-EXP-23 abandoning with a delay leaves a hidden timer its own time")
  void hiddenTimerAndDelay() {
    create("x");
    WorkItem timer = Items.timer("x", 2, provider.now().plus(DELAY.multipliedBy(4)));
    enqueue(timer);
    poke("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), DELAY, false);
    advance(DELAY.plus(SLACK));

    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.raised("x", "poke"));
    drain(locked);
    nothingToFetch();

    advance(DELAY.multipliedBy(3).plus(SLACK));
    assertThat(messages(fetched("x"))).containsExactly(timer);
  }

  @Test
  @DisplayName("TCK-EXP-24 the longest durations do not overflow")
  void longest() {
    start("hidden");
    provider.abandonOrchestrationItem(fetched("hidden").lockToken(), FOREVER, false);
    start("locked");
    LockedOrchestration turn = fetched("locked");
    provider.renewOrchestrationItemLock(turn.lockToken(), FOREVER);
    act("x", 2);
    provider.abandonWorkItem(work(2).lockToken(), FOREVER, false);
    act("x", 3);
    LockedWork activity = work(3);
    provider.renewWorkItemLock(activity.lockToken(), FOREVER);
    enqueue(Items.start("delayed"), FOREVER);
    start("fetched");
    assertThat(fetched(FOREVER).item().instance()).isEqualTo("fetched");

    nothingToFetch();
    noWork();
    ack(turn, firstTurn("locked"));
    provider.ackWorkItem(activity.lockToken(), null);
  }

  @Test
  @DisplayName("TCK-EXP-25 an abandoned activity comes back as it was")
  void workUnchanged() {
    WorkItem.ActivityExecute item =
        Items.activity(new ActivityKey("x", 3, 7), new ActivityRouting("session", "gpu"));
    provider.enqueueForWorker(item);
    WorkFetch request =
        WorkFetch.of(LOCK, Duration.ZERO)
            .withSession(new SessionFetchConfig("owner", LOCK))
            .withTags(TagFilter.tags("gpu"));
    LockedWork first = present(wfetch(provider, request));

    provider.abandonWorkItem(first.lockToken(), Duration.ZERO, false);

    noWork();
    LockedWork second = present(wfetch(provider, request));
    assertThat(second.item()).isEqualTo(item);
    assertThat(second.key()).isEqualTo(item.key());
  }

  @Test
  @DisplayName("TCK-EXP-26 an instance that rests delays no other")
  void restDelaysNobody() {
    start("x");
    start("y");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), LOCK, false);

    fetched("y");
  }

  @Test
  @Needs.Durable
  @DisplayName("TCK-EXP-27 the rest of an instance is stored, not remembered")
  void restIsStored() {
    start("x");
    Duration rest = DELAY.multipliedBy(6);
    provider.abandonOrchestrationItem(fetched("x").lockToken(), rest, false);

    reopen();

    nothingToFetch();
    advance(rest.plus(SLACK));
    fetched("x");
  }

  @Test
  @DisplayName("TCK-EXP-60 what arrives while an existing instance rests waits with it")
  void arrivesWhileResting() {
    create("x");
    poke("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), Duration.ofSeconds(5), false);

    enqueue(Items.message("x", "meanwhile"));
    nothingToFetch();

    advance(Duration.ofSeconds(6));
    assertThat(messages(fetched("x")))
        .containsExactly(Items.raised("x", "poke"), Items.message("x", "meanwhile"));
  }

  @Test
  @DisplayName("TCK-EXP-61 an abandoned activity keeps its place")
  void keepsItsPlace() {
    act("x", 1);
    act("x", 2);
    provider.abandonWorkItem(work(1).lockToken(), Duration.ZERO, false);

    work(1);
    work(2);
  }
}
