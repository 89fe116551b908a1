package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Commands that wait for a lane")
class InboxTest {
  private static final int LIMIT = 3;

  private final Inbox inbox = new Inbox(LIMIT);
  private final BlockingQueue<String> served = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
  }

  private static Command<?> command() {
    String token = new Tokens.Turn(1, UUID.randomUUID(), "x").text();
    return KeepTurn.renew(token, Duration.ofSeconds(1));
  }

  /** Something that may wait. */
  @FunctionalInterface
  private interface Task {
    void run() throws InterruptedException;
  }

  /** Runs until it is interrupted; returns once it waits. */
  private Thread begin(String name, Task task) {
    Thread thread =
        Thread.ofPlatform()
            .name(name)
            .start(() -> {
              try {
                task.run();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
            });
    threads.add(thread);
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private void beginLane(String name) {
    begin(
        name,
        () -> {
          while (true) {
            List<Command<?>> taken = new ArrayList<>();
            inbox.take(taken, LIMIT, () -> {});
            served.add(name);
          }
        });
  }

  @Test
  @DisplayName("go to the lane that has rested the shortest")
  void warmestLane() throws InterruptedException {
    beginLane("first");
    beginLane("second");
    Thread second = threads.getLast();
    for (int i = 0; i < 10; i++) {
      inbox.put(command(), () -> {});
      assertThat(served.take()).isEqualTo("second");
      await().until(() -> second.getState() == Thread.State.TIMED_WAITING);
    }
  }

  @Test
  @DisplayName("are taken in their order, as many as are wanted")
  void order() throws InterruptedException {
    List<Command<?>> sent = List.of(command(), command(), command());
    for (Command<?> command : sent) {
      inbox.put(command, () -> {});
    }
    List<Command<?>> taken = new ArrayList<>();
    inbox.take(taken, 2, () -> {});
    assertThat(taken).isEqualTo(sent.subList(0, 2));
    inbox.take(taken, LIMIT, () -> {});
    assertThat(taken).isEqualTo(sent);
  }

  /** Makes a call the first time that it is asked to look. */
  private Runnable calling(Command<?> command) {
    AtomicBoolean called = new AtomicBoolean();
    return () -> {
      if (called.compareAndSet(false, true)) {
        try {
          inbox.put(command, () -> {});
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  @Test
  @Timeout(20)
  @DisplayName("are taken by the only lane although its wait had timed out when they came")
  void signalLost() throws InterruptedException {
    Command<?> command = command();
    List<Command<?>> taken = new ArrayList<>();

    inbox.take(taken, LIMIT, calling(command));

    assertThat(taken).containsExactly(command);
  }

  @Test
  @DisplayName("are not waited for by a lane that has some left")
  void leftOvers() throws InterruptedException {
    List<Command<?>> left = new ArrayList<>(List.of(command()));
    inbox.take(left, LIMIT, () -> {});
    assertThat(left).hasSize(1);
  }

  @Test
  @DisplayName("wait for room where there are too many")
  void bounded() throws InterruptedException {
    for (int i = 0; i < LIMIT; i++) {
      inbox.put(command(), () -> {});
    }
    Command<?> late = command();
    Thread caller = begin("caller", () -> inbox.put(late, () -> {}));
    inbox.take(new ArrayList<>(), 1, () -> {});
    caller.join();
    List<Command<?>> rest = new ArrayList<>();
    inbox.empty(rest);
    assertThat(rest).hasSize(LIMIT).endsWith(late);
  }

  @Test
  @DisplayName("of an interrupted caller find their way where there is room")
  void interrupted() throws InterruptedException {
    Thread.currentThread().interrupt();
    inbox.put(command(), () -> {});

    assertThat(Thread.interrupted()).isTrue();
    List<Command<?>> taken = new ArrayList<>();
    inbox.take(taken, LIMIT, () -> {});
    assertThat(taken).hasSize(1);
  }

  @Test
  @DisplayName("are none if it is quiet, and then all lanes rest")
  void quiet() throws InterruptedException {
    assertThat(inbox.isQuiet(1)).isFalse();
    beginLane("first");
    assertThat(inbox.isQuiet(1)).isTrue();
    assertThat(inbox.isQuiet(2)).isFalse();
    threads.getFirst().interrupt();
    threads.getFirst().join();
    inbox.put(command(), () -> {});
    assertThat(inbox.isQuiet(0)).isFalse();
  }

  @Test
  @DisplayName("that come many at a time leave no quiet between them")
  void crowd() throws InterruptedException {
    inbox.put(command(), () -> {});
    inbox.put(command(), () -> {});
    inbox.take(new ArrayList<>(), LIMIT, () -> {});
    assertThat(inbox.isQuiet(0)).isFalse();
    inbox.put(command(), () -> {});
    inbox.take(new ArrayList<>(), LIMIT, () -> {});
    assertThat(inbox.isQuiet(0)).isTrue();
  }

  @Test
  @DisplayName("can be taken back while nobody has them")
  void takenBack() throws InterruptedException {
    Command<?> command = command();
    inbox.put(command, () -> {});
    assertThat(inbox.remove(command)).isTrue();
    assertThat(inbox.remove(command)).isFalse();
  }
}
