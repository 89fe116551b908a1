package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The waiting room of fetches")
class WaitingRoomTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final AtomicLong now = new AtomicLong(1_000);
  private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
  private final WaitingRoom room = new WaitingRoom(clock, () -> Duration.ofMinutes(1), () -> 0);
  private final Queue queue = new Queue();

  /** A store of a few words, and how often it was looked at. */
  private class Queue implements WaitingRoom.Search<String> {
    private final Deque<String> words = new ArrayDeque<>();
    private long nextChange = WaitingRoom.NEVER;
    private boolean leaves;
    private int looks;

    @Override
    public Object interest() {
      return "words";
    }

    @Override
    public WaitingRoom.Sight<String> look() {
      looks++;
      long generation = room.generation();
      String word = words.poll();
      boolean all = !leaves && words.isEmpty();
      List<String> found = word == null ? List.of() : List.of(word);
      return new WaitingRoom.Sight<>(found, generation, nextChange, all);
    }
  }

  private List<String> fetch(Duration patience) throws InterruptedException {
    return room.await(queue, patience);
  }

  @Test
  @DisplayName("whoever comes after one that took everything waits without a look")
  void remembers() throws InterruptedException {
    queue.words.add("a");
    assertThat(fetch(PATIENCE)).containsExactly("a");

    assertThat(fetch(SHORT)).isEmpty();
    assertThat(queue.looks).isEqualTo(1);
  }

  @Test
  @DisplayName("what came since is found at once")
  void looksAfterWake() throws InterruptedException {
    assertThat(fetch(SHORT)).isEmpty();
    int before = queue.looks;
    queue.words.add("b");
    room.wake(1);

    assertThat(fetch(PATIENCE)).containsExactly("b");
    assertThat(queue.looks).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("something that turns ready by itself is looked for when its time has come")
  void looksWhenDue() throws InterruptedException {
    queue.nextChange = now.get() + 500;
    assertThat(fetch(SHORT)).isEmpty();
    queue.words.add("c");

    assertThat(fetch(SHORT)).isEmpty();
    now.addAndGet(500);

    assertThat(fetch(PATIENCE)).containsExactly("c");
  }

  @Test
  @DisplayName("after one that left something behind everybody looks")
  void looksAfterPartialFetch() throws InterruptedException {
    queue.leaves = true;
    queue.words.addAll(List.of("d", "e"));

    assertThat(fetch(PATIENCE)).containsExactly("d");
    assertThat(fetch(PATIENCE)).containsExactly("e");
    assertThat(queue.looks).isEqualTo(2);
  }

  @Test
  @DisplayName("whoever does not want to wait always looks")
  void looksWithoutPatience() throws InterruptedException {
    assertThat(fetch(SHORT)).isEmpty();
    int before = queue.looks;

    assertThat(fetch(Duration.ZERO)).isEmpty();
    assertThat(queue.looks).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("others with another interest look for themselves")
  void othersLook() throws InterruptedException {
    assertThat(fetch(SHORT)).isEmpty();
    Queue other =
        new Queue() {
          @Override
          public Object interest() {
            return "other words";
          }
        };
    other.words.add("f");

    assertThat(room.await(other, PATIENCE)).containsExactly("f");
  }
}
