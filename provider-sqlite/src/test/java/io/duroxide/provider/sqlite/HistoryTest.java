package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Rows of history")
class HistoryTest {
  private static final ExecutionKey FIRST = new ExecutionKey("order-1", 1);
  private static final ExecutionKey SECOND = new ExecutionKey("order-1", 2);

  private final SqliteProvider provider = SqliteProvider.inMemory();
  private final ProviderAdmin admin = provider.management().orElseThrow();

  @AfterEach
  void close() {
    provider.close();
  }

  private void append(ExecutionKey execution, LongStream ids) {
    provider.appendWithExecution(execution, ids.mapToObj(id -> event(execution, id)).toList());
  }

  private static Event event(ExecutionKey execution, long id) {
    return new Event(
        execution,
        id,
        null,
        new EventStamp(Instant.EPOCH, "0.1.0"),
        new EventKind.ExternalSubscribed("line\nbreak " + id));
  }

  private List<Long> page(ExecutionKey execution, long after, int limit) {
    return ids(admin.readHistory(execution, after, limit));
  }

  private static List<Long> ids(List<Event> events) {
    return events.stream().map(Event::id).toList();
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @Test
  @DisplayName("a long history is read in pages that begin and end anywhere")
  void pages() {
    for (long first = 1; first <= 1000; first += 1 + first % 7) {
      append(FIRST, LongStream.rangeClosed(first, Math.min(1000, first + first % 7)));
      append(SECOND, LongStream.of(first));
    }
    for (int limit : new int[] {1, 3, 100, 127, 128, 129, 999, 1000, Integer.MAX_VALUE}) {
      for (long after : new long[] {-5, 0, 1, 126, 127, 128, 500, 998, 999}) {
        long end = Math.min(1000, Math.max(0, after) + limit);
        assertThat(page(FIRST, after, limit)).isEqualTo(range(Math.max(0, after) + 1, end));
      }
    }
    assertThat(page(FIRST, 1000, 10)).isEmpty();
    assertThat(page(FIRST, Long.MAX_VALUE, 10)).isEmpty();
    assertThat(page(FIRST, 5, 0)).isEmpty();
    assertThat(provider.readWithExecution(FIRST).get(41)).isEqualTo(event(FIRST, 42));
  }

  @Test
  @DisplayName("hundreds of events at once are read as they were written")
  void longTurn() {
    append(FIRST, LongStream.rangeClosed(1, 500));
    assertThat(provider.readWithExecution(FIRST))
        .isEqualTo(LongStream.rangeClosed(1, 500).mapToObj(id -> event(FIRST, id)).toList());
    assertThat(page(FIRST, 200, 40)).isEqualTo(range(201, 240));
  }

  @Test
  @DisplayName("ids may have gaps: a page is full as long as events are left")
  void gaps() {
    List<Long> ids = LongStream.rangeClosed(1, 400).map(n -> n * 50).boxed().toList();
    ids.forEach(id -> append(FIRST, LongStream.of(id)));
    assertThat(page(FIRST, 0, 10)).isEqualTo(ids.subList(0, 10));
    assertThat(page(FIRST, 101, 300)).isEqualTo(ids.subList(2, 302));
    assertThat(page(FIRST, 19_900, 10)).isEqualTo(ids.subList(398, 400));
  }

  @Test
  @DisplayName("events that come late are read in their place, and events are counted")
  void late() {
    append(FIRST, LongStream.rangeClosed(200, 400));
    append(SECOND, LongStream.of(1, 2));
    append(FIRST, LongStream.of(7, 3, 500));
    append(FIRST, LongStream.of(501));
    List<Long> expected = new ArrayList<>(List.of(3L, 7L));
    expected.addAll(range(200, 400));
    expected.addAll(List.of(500L, 501L));
    assertThat(ids(provider.readWithExecution(FIRST))).isEqualTo(expected);
    assertThat(page(FIRST, 3, 3)).containsExactly(7L, 200L, 201L);
    assertThat(provider.readLast("order-1")).contains(event(SECOND, 2));
    assertThat(admin.systemMetrics().totalEvents()).isEqualTo(expected.size() + 2);
  }

  @Test
  @DisplayName("events that come in another order, and those of execution 0, are kept as well")
  void unusual() {
    append(new ExecutionKey("order-1", 0), LongStream.of(1, 2));
    append(FIRST, LongStream.of(1, 4, 3, 2));
    append(FIRST, LongStream.of(6, 5));
    assertThat(ids(provider.readWithExecution(FIRST))).isEqualTo(range(1, 6));
    assertThat(ids(provider.readWithExecution(new ExecutionKey("order-1", 0))))
        .containsExactly(1L, 2L);
  }

  @Nested
  @DisplayName("of a damaged file")
  class Damage {
    private final Folder folder = Folder.create();
    private final Surgery surgery = new Surgery(folder.file());

    @AfterEach
    void remove() {
      folder.close();
    }

    private void damage(String statement) {
      try (SqliteProvider store = SqliteProvider.open(folder.file())) {
        for (long first = 1; first < 10; first += 3) {
          store.appendWithExecution(
              FIRST, LongStream.range(first, first + 3).mapToObj(id -> event(FIRST, id)).toList());
        }
      }
      surgery.update(statement);
    }

    private void assertDamaged(long event) {
      try (SqliteProvider store = SqliteProvider.open(folder.file())) {
        assertThatThrownBy(() -> store.readWithExecution(FIRST))
            .isInstanceOf(ProviderException.class)
            .hasMessageContaining("order-1")
            .hasMessageContaining("event " + event + " cannot be decoded");
      }
    }

    @Test
    @DisplayName("a row that is missing is told, wherever it stood")
    void missing() {
      damage("DELETE FROM duroxide_history WHERE first_event = 4");
      assertDamaged(6);
      surgery.update("DELETE FROM duroxide_history WHERE first_event = 7");
      assertDamaged(1);
    }

    @Test
    @DisplayName("lines that are missing are told")
    void lines() {
      damage("UPDATE duroxide_history SET data = substr(data, 1, instr(data, char(10)) - 1)");
      assertDamaged(1);
    }

    @Test
    @DisplayName("a row of somebody else in its place is not taken for its own")
    void foreign() {
      damage("DELETE FROM duroxide_history WHERE first_event = 7");
      try (SqliteProvider store = SqliteProvider.open(folder.file())) {
        ExecutionKey other = new ExecutionKey("order-2", 1);
        store.appendWithExecution(
            other, LongStream.rangeClosed(1, 3).mapToObj(id -> event(other, id)).toList());
        assertThat(ids(store.readWithExecution(other))).isEqualTo(range(1, 3));
      }
      assertDamaged(1);
    }
  }
}
