package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The clock of a file")
class ClockWatchTest {
  private static final String LIMIT = "SELECT clock_limit FROM duroxide_counter";
  private static final String STEPS = "SELECT clock_steps FROM duroxide_counter";
  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofSeconds(30), Duration.ZERO);

  private final Folder folder = Folder.create();
  private final TestClock clock = new TestClock();
  private final Surgery surgery = new Surgery(folder.file());
  private final SqliteProvider store = open();

  private SqliteProvider open() {
    return SqliteProvider.open(
        folder.file(), SqliteOptions.DEFAULT.withDurability(Durability.NORMAL).withClock(clock));
  }

  @AfterEach
  void close() {
    store.close();
    folder.close();
  }

  private static void start(SqliteProvider handle, String instance) {
    handle.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null), Duration.ZERO);
  }

  private static List<String> fetched(SqliteProvider handle) throws InterruptedException {
    return handle.fetchOrchestrationItems(FETCH, 10).stream()
        .map(LockedOrchestration::item)
        .map(item -> item.instance())
        .toList();
  }

  @Test
  @DisplayName("stands still if it is set back by no more than a second")
  void standsStill() throws InterruptedException {
    start(store, "first");
    clock.advance(Duration.ofMillis(-900));
    start(store, "second");

    assertThat(fetched(store)).containsExactly("first", "second");
    assertThat(store.lookAtClock()).isEmpty();
    assertThat(surgery.number(STEPS)).isZero();
  }

  @Test
  @DisplayName("is not written down while nothing happens")
  void idle() throws InterruptedException {
    start(store, "first");
    fetched(store);
    long limit = surgery.number(LIMIT);
    assertThat(limit).isGreaterThanOrEqualTo(clock.instant().toEpochMilli());

    clock.advance(Duration.ofSeconds(20));
    assertThat(fetched(store)).isEmpty();
    store.lookAtClock();

    assertThat(surgery.number(LIMIT)).isEqualTo(limit);
  }

  @Test
  @DisplayName("is followed once by two that share the file, whoever sees the step first")
  void shared() throws InterruptedException {
    try (SqliteProvider other = open()) {
      start(store, "first");
      other.lookAtClock();
      clock.advance(Duration.ofHours(-1));
      start(other, "second");
      start(store, "third");

      assertThat(fetched(store)).containsExactly("first", "second", "third");
      assertThat(surgery.number(STEPS)).isEqualTo(1);
      assertThat(other.lookAtClock()).isPresent();
      assertThat(store.lookAtClock()).isPresent();
    }
  }

  @Test
  @DisplayName("is followed by one that has never used it before")
  void openedLater() throws InterruptedException {
    start(store, "first");
    clock.advance(Duration.ofHours(-1));
    try (SqliteProvider other = open()) {
      start(other, "second");
      assertThat(fetched(other)).containsExactly("first", "second");
    }
    start(store, "third");
    assertThat(fetched(store)).containsExactly("third");
    assertThat(surgery.number(STEPS)).isEqualTo(1);
  }
}
