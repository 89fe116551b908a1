package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The waiting room of fetches")
class WaitingRoomTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final AtomicLong now = new AtomicLong(1_000);
  private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
  private Duration fallback = Duration.ofMinutes(1);
  private final WaitingRoom room = new WaitingRoom(clock, () -> fallback, () -> 0);
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
  @DisplayName("waits that are shorter than the fall-back look again once it is over")
  void shortWaits() throws InterruptedException {
    WaitingRoom unseen = new WaitingRoom(clock, () -> Duration.ofMillis(20));
    for (int i = 0; i < 100; i++) {
      assertThat(unseen.await(queue, Duration.ofMillis(1))).isEmpty();
    }
    assertThat(queue.looks).isGreaterThan(1);
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

  /** What a fetch of another thread returned, and whether it was interrupted meanwhile. */
  private record Answer(List<String> words, boolean interrupted) {}

  private final CompletableFuture<Answer> answer = new CompletableFuture<>();

  private Thread fetchElsewhere(Duration patience) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            List<String> words = fetch(patience);
            answer.complete(new Answer(words, Thread.currentThread().isInterrupted()));
          } catch (InterruptedException e) {
            answer.completeExceptionally(e);
          }
        });
  }

  private WaitingRoom.Call called() {
    return Awaitility.await()
        .pollInSameThread()
        .until(room::call, Optional::isPresent)
        .orElseThrow();
  }

  @Test
  @DisplayName("whoever is called looks when it is sent, and nobody else is called for it")
  void calls() {
    fetchElsewhere(PATIENCE);
    WaitingRoom.Call call = called();

    assertThat(call.search()).isSameAs(queue);
    assertThat(room.call()).isEmpty();
    queue.words.add("g");
    call.send();

    assertThat(answer.join()).isEqualTo(new Answer(List.of("g"), false));
  }

  @Test
  @DisplayName("whoever is called stays although everyone is sent home")
  void calledBeforeClose() {
    fetchElsewhere(PATIENCE);
    WaitingRoom.Call call = called();
    room.close();
    queue.words.add("h");
    call.send();

    assertThat(answer.join().words()).containsExactly("h");
  }

  @Test
  @DisplayName("an interrupt of whoever is called is kept for later")
  void calledInterrupt() {
    Thread waiter = fetchElsewhere(PATIENCE);
    WaitingRoom.Call call = called();
    waiter.interrupt();
    Awaitility.await()
        .until(() -> !waiter.isInterrupted() && waiter.getState() == Thread.State.TIMED_WAITING);
    queue.words.add("i");
    call.send();

    assertThat(answer.join()).isEqualTo(new Answer(List.of("i"), true));
  }

  @Test
  @DisplayName("whoever is called by a thread that ends without a word looks for itself")
  void callerEnds() throws InterruptedException {
    fallback = Duration.ofMillis(20);
    fetchElsewhere(PATIENCE);
    Thread.ofPlatform()
        .start(() -> {
          called();
          queue.words.add("k");
        })
        .join();

    assertThat(answer.join().words()).containsExactly("k");
  }

  @Test
  @DisplayName("whoever is sent and finds nothing waits on, and can be called again")
  void calledInVain() {
    fetchElsewhere(PATIENCE);
    called().send();
    WaitingRoom.Call again = called();
    queue.words.add("j");
    again.send();

    assertThat(answer.join().words()).containsExactly("j");
  }

  @Test
  @DisplayName("a look that saw what it wakes others for is as new as that, unless others woke too")
  void lookOfTheOneWhoWakes() {
    long before = room.generation();
    long after = room.wake(1, before);
    assertThat(after).isEqualTo(room.generation()).isGreaterThan(before);

    assertThat(room.wake(1, before)).isEqualTo(before);
  }
}
