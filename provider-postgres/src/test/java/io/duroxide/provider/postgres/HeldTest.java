package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An activity that its instance holds")
class HeldTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final String VERSION = "1.0.0";
  private static final ActivityRouting TAGGED = new ActivityRouting(null, "gpu");

  private final TestClock clock = new TestClock();
  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final FaultySource source = new FaultySource(premises.pool());
  private final PostgresProvider store =
      PostgresProvider.open(source.asSource(), premises.options().withClock(clock));

  private final Chain links = new Chain(store, "x", LOCK);

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  private Optional<LockedWork> fetch() throws InterruptedException {
    return store.fetchWorkItem(WorkFetch.of(LOCK, Duration.ZERO));
  }

  private long held() {
    return surgery.number("SELECT coalesce(max(held_activity), 0) FROM @.instance");
  }

  private static final String ROWS =
      """
      SELECT coalesce(string_agg(activity::text, ' ' ORDER BY seq), '') FROM @.work
      """;

  @Test
  @DisplayName("has no row of its own until somebody else needs it")
  void rows() {
    Chain.Link link = links.chain(1);
    String place = surgery.text("SELECT ctid::text || seq FROM @.work WHERE activity = 0");
    link = links.next(links.next(link));

    assertThat(held()).isEqualTo(8);
    assertThat(surgery.text(ROWS)).isEqualTo("0");
    assertThat(surgery.text("SELECT ctid::text || seq FROM @.work")).isEqualTo(place);
    store.renewWorkItemLock(link.work().lockToken(), LOCK);
    assertThat(held()).isZero();
    assertThat(surgery.text(ROWS)).isEqualTo("8");
    link = links.next(link);
    assertThat(surgery.text(ROWS)).isEqualTo("10");
    link = links.next(link);
    assertThat(surgery.text(ROWS)).isEqualTo("0");
    store.ackWorkItem(link.work().lockToken(), null);
    assertThat(surgery.text(ROWS)).isEmpty();
    assertThat(held()).isZero();
  }

  @Test
  @DisplayName("is committed once, whatever happens to the connection")
  void faults() {
    Chain.Link link = links.begin();
    for (int i = 0; i < 6; i++) {
      source.arm(FaultPoint.AFTER_COMMIT, FaultKind.CONNECTION_LOST);
      link = links.next(link);
      link = links.next(link);
      source.arm(FaultPoint.BEFORE, FaultKind.DEADLOCK);
      link = links.next(links.next(link));
    }

    assertThat(store.read("x")).hasSize(50).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(surgery.number("SELECT count(*) FROM @.work")).isOne();
    store.ackWorkItem(link.work().lockToken(), null);
  }

  @Test
  @DisplayName(
      "is not bound to a session, not one of several, and nothing that its event does not say")
  void others() {
    Chain.Link link =
        links.next(links.chain(2), links.activity(8, new ActivityRouting("session", null)));
    assertThat(surgery.text(ROWS)).isEqualTo("8");
    assertThat(held()).isZero();

    link = links.next(link);
    assertThat(surgery.text(ROWS)).isEqualTo("10");
    WorkItem.ActivityExecute other = links.activity(12, ActivityRouting.ANYWHERE);
    link =
        links.next(
            link,
            new WorkItem.ActivityExecute(
                other.key(),
                other.name(),
                other.input(),
                other.routing(),
                new ActivityOrigin("Another", VERSION, Instant.EPOCH)));
    assertThat(surgery.text(ROWS)).isEqualTo("12");

    link =
        links.next(
            link,
            links.activity(14, ActivityRouting.ANYWHERE),
            links.activity(15, ActivityRouting.ANYWHERE));
    links.next(link);
    assertThat(surgery.text(ROWS)).isEqualTo("15 17");
  }

  @Test
  @DisplayName("goes to a worker of its tag once its lock has ended")
  void tag() throws InterruptedException {
    Chain.Link link = links.chain(2);
    links.next(link, links.activity(8, TAGGED));
    assertThat(held()).isEqualTo(8);
    clock.advance(LOCK.plusMillis(1));

    assertThat(fetch()).isEmpty();
    LockedWork again =
        store
            .fetchWorkItem(
                WorkFetch.of(LOCK, Duration.ZERO).withTags(new TagFilter.Tags(Set.of("gpu"))))
            .orElseThrow();
    assertThat(again.item()).isEqualTo(links.activity(8, TAGGED));
  }

  @Test
  @DisplayName("stays with its chain, however often others look for it")
  void beside() {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Integer> looks =
        CompletableFuture.supplyAsync(() -> {
          int found = 0;
          while (!over.get()) {
            try {
              found += fetch().isPresent() ? 1 : 0;
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return found;
        });
    Chain.Link link = links.begin();
    for (int i = 0; i < 200; i++) {
      clock.advance(LOCK.dividedBy(2));
      link = links.next(link);
    }
    over.set(true);

    assertThat(looks.join()).isZero();
    assertThat(store.read("x")).hasSize(402);
  }

  private static final String SLEEPING =
      """
      SELECT count(*) FROM @.work w JOIN @.instance i ON i.key = w.instance
      WHERE w.activity = 0 AND w.wake_at = i.held_until AND i.held_activity = 8
      """;

  @Test
  @DisplayName("keeps its place while its lock goes on")
  void sleepsOn() throws InterruptedException {
    Chain.Link link = links.chain(2);
    clock.advance(LOCK.minusSeconds(1));
    link = links.next(link);
    clock.advance(Duration.ofSeconds(2));

    assertThat(fetch()).isEmpty();
    assertThat(surgery.number(SLEEPING)).isOne();
    links.next(link);
    assertThat(held()).isEqualTo(10);
  }

  @Test
  @DisplayName("is read with its instance as if it had a row")
  void exported() {
    Chain.Link link = links.chain(3);
    InstanceSnapshot held = snapshot();
    store.renewWorkItemLock(link.work().lockToken(), LOCK);

    assertThat(held.activities()).isEqualTo(snapshot().activities()).hasSize(1);
    assertThat(WorkItemCodec.decode(held.activities().getFirst().item()))
        .isEqualTo(links.activity(8, ActivityRouting.ANYWHERE));
  }

  private InstanceSnapshot snapshot() {
    return store.management().orElseThrow().transfer().readInstance("x").orElseThrow();
  }

  @Test
  @DisplayName("leaves no place behind that nobody wakes")
  void strayPlace() throws InterruptedException {
    links.chain(2);
    surgery.update("UPDATE @.instance SET held_activity = NULL, held_until = NULL");
    clock.advance(LOCK.plusMillis(1));

    assertThat(fetch()).isEmpty();
    assertThat(surgery.text(ROWS)).isEmpty();
  }
}
