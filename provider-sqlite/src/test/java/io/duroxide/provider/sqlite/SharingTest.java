package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several processes on one file at once. */
@DisplayName("Processes that share a file")
class SharingTest {
  private static final int CHILDREN = 3;
  private static final int INSTANCES = 15;
  private static final int ROUNDS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOCK = Duration.ofSeconds(30);

  /** Longer than the longest pause between two looks for commits of others. */
  private static final Duration QUIET = Duration.ofMillis(2500);

  private final Folder folder = Folder.create();
  private final List<Child> children = new ArrayList<>();

  @AfterEach
  void close() {
    children.forEach(Child::close);
    folder.close();
  }

  private Child child(Class<?> main, Object... arguments) {
    Child child = Child.start(main, arguments);
    children.add(child);
    return child;
  }

  @Test
  @DisplayName("every item of every process is done exactly once, whoever does it")
  void exactlyOnce() throws InterruptedException {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Set<String> left = new HashSet<>();
    for (int i = 0; i < CHILDREN; i++) {
      child(CrashChild.class, folder.file(), "child" + i, INSTANCES).listen(lines::add);
    }
    List<String> instances =
        IntStream.range(0, CHILDREN * INSTANCES)
            .mapToObj(i -> "child" + i % CHILDREN + "-" + i / CHILDREN)
            .toList();
    instances.forEach(instance -> TurnWork.allLines(instance).forEach(left::add));

    while (!left.isEmpty()) {
      String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(line).as("still missing: %s", left).isNotNull();
      assertThat(left.remove(line)).as("done twice, or by nobody's order: %s", line).isTrue();
    }

    children.forEach(Child::kill);
    assertThat(lines).isEmpty();
    TurnWork.check(folder.file(), instances.stream().flatMap(TurnWork::allLines).toList());
  }

  @Test
  @DisplayName("a fetch that waits hears of another process's work, also after a quiet time")
  void woken() throws InterruptedException {
    try (SqliteProvider provider = SqliteProvider.open(folder.file())) {
      Child echo = child(EchoChild.class, folder.file(), PATIENCE.toSeconds());
      assertThat(echo.hear()).isEqualTo("ready");
      for (int round = 0; round < ROUNDS; round++) {
        if (round % 4 == 3) {
          assertThat(provider.fetchWorkItem(work(QUIET).withTags(TagFilter.tags("nobody"))))
              .isEmpty();
        }
        String instance = "x-" + round;
        provider.enqueueForOrchestrator(
            new WorkItem.StartOrchestration(instance, "Crash", "{}", "1.0.0", null), Duration.ZERO);

        Optional<LockedWork> answer = provider.fetchWorkItem(work(PATIENCE));

        assertThat(answer).as("activity of %s", instance).isPresent();
        assertThat(answer.orElseThrow().key().instance()).isEqualTo(instance);
        provider.ackWorkItem(answer.orElseThrow().lockToken(), null);
        assertThat(echo.hear()).isEqualTo(instance);
      }
    }
  }

  @Test
  @DisplayName("it does so if its own process was the first to notice, by writing something else")
  void wokenBesideOwnWrites() throws InterruptedException {
    try (SqliteProvider provider = SqliteProvider.open(folder.file());
        SqliteProvider other = SqliteProvider.open(folder.file())) {
      CompletableFuture<Optional<LockedWork>> answer = new CompletableFuture<>();
      Thread waiter =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  answer.complete(provider.fetchWorkItem(work(QUIET)));
                } catch (InterruptedException e) {
                  answer.completeExceptionally(e);
                }
              });
      while (!isSeated(waiter)) {
        Thread.onSpinWait();
      }
      other.enqueueForWorker(
          new WorkItem.ActivityExecute(
              new ActivityKey("x", 1, 2),
              "Work",
              "{}",
              ActivityRouting.ANYWHERE,
              ActivityOrigin.UNKNOWN));
      provider.enqueueForOrchestrator(
          new WorkItem.StartOrchestration("y", "Crash", "{}", "1.0.0", null), Duration.ZERO);

      assertThat(answer.join()).isPresent();
    }
  }

  /** Whether a thread waits for work, and not for an answer of the store. */
  private static boolean isSeated(Thread waiter) {
    return LockSupport.getBlocker(waiter) instanceof Condition;
  }

  private static WorkFetch work(Duration poll) {
    return WorkFetch.of(LOCK, poll);
  }
}
