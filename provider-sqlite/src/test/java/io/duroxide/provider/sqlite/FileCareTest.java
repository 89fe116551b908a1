package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

@DisplayName("The files of a store")
class FileCareTest {
  private static final String GONE = "the database file was deleted or replaced while it was open";

  private final Folder folder = Folder.create();

  @AfterEach
  void close() {
    folder.close();
  }

  private static void send(SqliteProvider store) {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
  }

  private List<String> modes() throws IOException {
    try (Stream<Path> files = Files.list(folder.path())) {
      return files.map(FileCareTest::mode).toList();
    }
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("RL-069 database, log and index that are made are for their owner alone")
  void ownerOnly() throws IOException {
    try (SqliteProvider store = SqliteProvider.open(folder.file())) {
      send(store);
      assertThat(modes()).hasSize(3).containsOnly("rw-------");
    }
  }

  @Test
  @DisplayName("RL-069 another mode can be asked for, whatever the process takes away from modes")
  void otherMode() throws IOException {
    SqliteOptions options =
        SqliteOptions.DEFAULT.withFileMode(PosixFilePermissions.fromString("rw-rw----"));
    try (SqliteProvider store = SqliteProvider.open(folder.file(), options)) {
      send(store);
      assertThat(modes()).hasSize(3).containsOnly("rw-rw----");
    }
  }

  @Test
  @DisplayName("RL-069 a file that exists keeps its mode")
  void existing() throws IOException {
    Files.createFile(folder.file());
    Files.setPosixFilePermissions(folder.file(), PosixFilePermissions.fromString("rw-r--r--"));
    try (SqliteProvider store = SqliteProvider.open(folder.file())) {
      send(store);
      assertThat(modes()).hasSize(3).containsOnly("rw-r--r--");
    }
  }

  /** What becomes of a file that is open. */
  enum Mishap {
    DELETED {
      @Override
      void happen(Path file) throws IOException {
        Files.delete(file);
      }
    },
    REPLACED {
      @Override
      void happen(Path file) throws IOException {
        Path copy = Files.copy(file, file.resolveSibling("copy"));
        Files.move(copy, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
    },
    LOG_DELETED {
      @Override
      void happen(Path file) throws IOException {
        Files.delete(file.resolveSibling(file.getFileName() + "-wal"));
      }
    };

    abstract void happen(Path file) throws IOException;
  }

  @ParameterizedTest(name = "RL-070 {0}: calls are refused, and health tells why")
  @EnumSource(Mishap.class)
  void gone(Mishap mishap) throws IOException {
    try (SqliteProvider store = SqliteProvider.open(folder.file())) {
      send(store);
      store.lookAtFile();
      assertThat(store.health().failures()).isEmpty();
      mishap.happen(folder.file());
      store.lookAtFile();

      assertThat(store.health().failures()).containsExactly(GONE);
      for (Runnable call :
          Set.<Runnable>of(() -> send(store), () -> store.read("x"), () -> store.status("x"))) {
        ProviderException refused = catchThrowableOfType(ProviderException.class, call::run);
        assertThat(refused.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(refused).hasMessageContaining(GONE);
      }
    }
  }

  @Test
  @DisplayName("RL-070 an idle store looks by itself")
  void looksByItself() throws IOException {
    try (SqliteProvider store = SqliteProvider.open(folder.file())) {
      Mishap.DELETED.happen(folder.file());
      Awaitility.await().until(() -> !store.health().failures().isEmpty());
      assertThat(store.health().failures()).containsExactly(GONE);
    }
  }

  @Test
  @DisplayName("RL-071 little free space is told when the store is opened")
  void littleSpace() {
    Logger log = (Logger) LoggerFactory.getLogger("io.duroxide.providers.sqlite");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    Level level = log.getLevel();
    log.setLevel(Level.WARN);
    try {
      Database database = Database.in(folder.file(), SqliteOptions.DEFAULT);
      database.warnOf(100L << 20);
      assertThat(lines.list).isEmpty();
      database.warnOf(12L << 20);
      assertThat(lines.list)
          .singleElement()
          .satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage()).contains("only 12 MB are free");
          });
    } finally {
      log.detachAppender(lines);
      log.setLevel(level);
    }
  }
}
