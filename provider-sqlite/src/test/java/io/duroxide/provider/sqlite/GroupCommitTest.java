package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoreThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("Group commit")
class GroupCommitTest {
  private static final String ADD =
      """
      INSERT INTO duroxide_session (id, owner, locked_until, used_at) VALUES (?, 'test', 0, 0)
      """;

  private static final StoreThreads THREADS =
      new StoreThreads("test", "group-commit", LoggerFactory.getLogger(GroupCommitTest.class));

  private final Folder folder = Folder.create();
  private final Surgery surgery = new Surgery(folder.file());
  private final TestClock clock = new TestClock();
  private final Writer writer = open();
  private final ExecutorService callers = Executors.newCachedThreadPool();

  private Writer open() {
    SqliteOptions options =
        SqliteOptions.DEFAULT.withDurability(Durability.NORMAL).withClock(clock);
    Database database = Database.in(folder.file(), options);
    Tx tx = Tx.on(database);
    Rooms rooms = Rooms.create(clock);
    Writer made =
        new Writer(
            database, Tables.on(tx, () -> "secret"), rooms, THREADS, new OpenFile(folder.file()));
    made.start();
    return made;
  }

  @AfterEach
  void close() {
    callers.close();
    writer.close();
    folder.close();
  }

  private static Command<Boolean> add(String id) {
    return tables -> {
      tables.tx().sql().update(ADD, id);
      return true;
    };
  }

  private static <T> Command<T> thenFail(Command<Boolean> first, RuntimeException failure) {
    return tables -> {
      first.run(tables);
      throw failure;
    };
  }

  private long stored(String id) {
    return surgery.number("SELECT count(*) FROM duroxide_session WHERE id = ?", id);
  }

  private List<CompletableFuture<Boolean>> asGroup(List<Command<Boolean>> commands)
      throws InterruptedException {
    return calledAsGroup(
        commands.stream()
            .<Supplier<Boolean>>map(command -> () -> writer.call("test", command))
            .toList());
  }

  /** Runs calls as one group: the writer is held up until all of them wait. */
  private List<CompletableFuture<Boolean>> calledAsGroup(List<Supplier<Boolean>> calls)
      throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Boolean> blocker =
        CompletableFuture.supplyAsync(
            () ->
                writer.call(
                    "block",
                    tables -> {
                      running.countDown();
                      try {
                        go.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                      return true;
                    }),
            callers);
    running.await();
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    for (Supplier<Boolean> call : calls) {
      answers.add(CompletableFuture.supplyAsync(call, callers));
      while (writer.waiting() < answers.size()) {
        Thread.onSpinWait();
      }
    }
    go.countDown();
    blocker.join();
    return answers;
  }

  @Test
  @DisplayName("a command that fails after it has written fails alone")
  void badNeighbour() throws InterruptedException {
    List<CompletableFuture<Boolean>> answers =
        asGroup(
            List.of(
                add("one"),
                thenFail(add("bad"), new IllegalStateException("on purpose")),
                add("two"),
                add("one-again")));

    assertThat(answers.get(0).join()).isTrue();
    assertThat(answers.get(2).join()).isTrue();
    assertThat(answers.get(3).join()).isTrue();
    assertThatThrownBy(() -> answers.get(1).join()).hasRootCauseMessage("on purpose");
    assertThat(stored("one") + stored("two") + stored("one-again")).isEqualTo(3);
    assertThat(stored("bad")).isZero();
  }

  @Test
  @DisplayName("a command that breaks a constraint fails alone, and says so")
  void constraint() throws InterruptedException {
    List<CompletableFuture<Boolean>> answers =
        asGroup(List.of(add("one"), add("two"), add("one"), add("three")));

    assertThat(answers.get(3).join()).isTrue();
    Throwable failure = catchThrowable(() -> answers.get(2).join()).getCause();
    assertThat(failure).isInstanceOf(ProviderException.class);
    assertThat(((ProviderException) failure).kind()).isEqualTo(Kind.UNKNOWN_PERMANENT);
    assertThat(stored("one") + stored("two") + stored("three")).isEqualTo(3);
  }

  @Test
  @DisplayName("a refusal before the first write leaves the group as it is")
  void refusal() throws InterruptedException {
    List<CompletableFuture<Boolean>> answers =
        asGroup(
            List.of(
                add("one"),
                tables -> {
                  throw Refusal.lockLost("test", "token");
                },
                add("two")));

    assertThat(answers.get(0).join()).isTrue();
    assertThat(answers.get(2).join()).isTrue();
    Throwable failure = catchThrowable(() -> answers.get(1).join()).getCause();
    assertThat(((ProviderException) failure).kind()).isEqualTo(Kind.LOCK_LOST);
    assertThat(stored("one") + stored("two")).isEqualTo(2);
  }

  @Test
  @DisplayName("RL-071 a full disk is told as passing trouble, and nothing committed is lost")
  void fullDisk() throws InterruptedException {
    writer.call("test", add("before"));
    writer.call("test", tables -> tables.tx().sql().number("PRAGMA max_page_count = 1"));
    NewMessage large =
        NewMessage.of("test", new WorkItem.ExternalRaised("x", "event", "x".repeat(100_000)));
    Command<Boolean> fills =
        tables -> {
          tables.orchestratorQueue().enqueue(large, Duration.ZERO);
          return true;
        };

    List<CompletableFuture<Boolean>> answers = asGroup(List.of(fills, fills));

    for (CompletableFuture<Boolean> answer : answers) {
      ProviderException failure = (ProviderException) catchThrowable(answer::join).getCause();
      assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure)
          .hasMessageContaining(folder.file().toString())
          .hasMessageContaining("free");
    }
    writer.call("test", tables -> tables.tx().sql().number("PRAGMA max_page_count = 1000000"));
    assertThat(writer.call("test", fills)).isTrue();
    assertThat(stored("before")).isEqualTo(1);
    assertThat(surgery.number("SELECT count(*) FROM duroxide_message")).isEqualTo(1);
  }

  @Test
  @DisplayName("an interrupted caller waits like others, and stays interrupted")
  void interrupted() throws InterruptedException {
    List<CompletableFuture<Boolean>> answers =
        calledAsGroup(
            List.of(() -> {
              Thread.currentThread().interrupt();
              return writer.call("test", add("x")) && Thread.interrupted();
            }));

    assertThat(answers.getFirst().join()).isTrue();
    assertThat(stored("x")).isEqualTo(1);
  }

  @Test
  @DisplayName("a command that comes after the end is refused, and so is one that waits")
  void closed() throws InterruptedException {
    writer.close();

    ProviderException failure =
        (ProviderException) catchThrowable(() -> writer.call("test", add("late")));

    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(stored("late")).isZero();
  }
}
