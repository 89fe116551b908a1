package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Room in the log")
class LogSpaceTest {
  private static final long MEBIBYTE = 1024 * 1024;

  private final Folder folder = Folder.create();
  private final Path log = folder.path().resolve("store.db-wal");

  @AfterEach
  void close() {
    folder.close();
  }

  private static void commit(SqliteProvider provider, int number) {
    provider.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("order-" + number, "Order", "{}", null, null),
        Duration.ZERO);
  }

  private long used() throws IOException {
    return new WriteAheadLog(Files.readAllBytes(log)).commits().getLast();
  }

  @Test
  @DisplayName("commits write over what is there: the log grows in a few steps, ahead of them")
  void grows() throws IOException {
    Set<Long> lengths = new TreeSet<>();
    try (SqliteProvider provider = SqliteProvider.open(folder.file())) {
      for (int i = 0; i == 0 || used() < MEBIBYTE; i++) {
        commit(provider, i);
        lengths.add(Files.size(log));
        assertThat(Files.size(log)).isGreaterThan(used());
      }
    }
    assertThat(lengths).hasSizeBetween(2, 4);
  }

  @Test
  @DisplayName("a log that is long enough is left alone, and so is one that nobody waits for")
  void ends() throws IOException {
    SqliteOptions fast = SqliteOptions.DEFAULT.withDurability(Durability.NORMAL);
    try (SqliteProvider provider = SqliteProvider.open(folder.file(), fast)) {
      commit(provider, 0);
      assertThat(Files.size(log)).isEqualTo(used());
    }
    Path enough = Files.write(folder.path().resolve("enough"), new byte[1000]);
    LogSpace space = new LogSpace(enough, 1000);

    space.keep();

    assertThat(Files.size(enough)).isEqualTo(1000);
  }

  @Test
  @DisplayName("whoever is interrupted leaves it to the next")
  void interrupted() throws IOException {
    Files.createFile(log);
    try (LogSpace space = new LogSpace(log, MEBIBYTE)) {
      Thread.currentThread().interrupt();
      space.keep();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Files.size(log)).isZero();

      space.keep();

      assertThat(Files.size(log)).isPositive();
    }
  }

  @Test
  @DisplayName("trouble with it is nobody's trouble, and another connection tries again")
  void trouble() throws IOException {
    LogSpace space = new LogSpace(log, MEBIBYTE);

    space.keep();
    Files.createFile(log);
    space.keep();
    assertThat(Files.size(log)).isZero();
    space.reopen();
    space.keep();

    assertThat(Files.size(log)).isPositive();
    space.close();
  }
}
