package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.MigrationMode;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Opening a file")
class OpeningTest {
  private static final int ROUNDS = 10;
  private static final int OPENERS = 6;
  private static final int PAGE = 4096;
  private static final int NORMAL = 1;
  private static final int FULL = 2;
  private static final SqliteOptions VERIFIED =
      SqliteOptions.DEFAULT.withMigrations(MigrationMode.VERIFY);

  private final Folder folder = Folder.create();

  @AfterEach
  void clean() {
    folder.close();
  }

  private static ProviderException refused(Path file) {
    return refused(file, SqliteOptions.DEFAULT);
  }

  private static ProviderException refused(Path file, SqliteOptions options) {
    ProviderException failure =
        catchThrowableOfType(
            ProviderException.class, () -> SqliteProvider.open(file, options).close());
    assertThat(failure).as("refusal to open").isNotNull();
    assertThat(failure).hasMessageContaining(file.toString());
    return failure;
  }

  private static void start(SqliteProvider provider, String instance) {
    provider.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null), Duration.ZERO);
  }

  @Test
  @DisplayName("a missing folder is named")
  void missingFolder() {
    Path file = folder.path().resolve("missing").resolve("store.db");
    assertThat(refused(file)).hasMessageContaining("does not exist; create it");
  }

  @Test
  @DisplayName("a folder is not a file")
  void isFolder() {
    assertThat(refused(folder.path())).hasMessageContaining("is a folder");
  }

  @Test
  @DisplayName("a folder that cannot be written to is named")
  void readOnlyFolder() {
    assertThat(folder.path().toFile().setWritable(false)).isTrue();
    try {
      Path file = unwritable();
      assertThat(refused(file)).hasMessageContaining(file.toString());
    } finally {
      assertThat(folder.path().toFile().setWritable(true)).isTrue();
    }
  }

  /** A superuser may write to any folder except those of the kernel. */
  private Path unwritable() {
    return Files.isWritable(folder.path()) ? Path.of("/proc/store.db") : folder.file();
  }

  @Test
  @DisplayName("a file that is no database is left alone")
  void noDatabase() throws IOException {
    Files.writeString(folder.file(), "Dear diary, ".repeat(1000));

    ProviderException failure = refused(folder.file());

    assertThat(failure.kind()).isEqualTo(Kind.CORRUPT_DATA);
    assertThat(failure).hasMessageContaining("no SQLite database");
    assertThat(Files.readString(folder.file())).startsWith("Dear diary");
  }

  @Test
  @DisplayName("D-38 a file may be shared with tables of the application, which stay as they are")
  void sharedFile() {
    Surgery surgery = new Surgery(folder.file());
    surgery.update("CREATE TABLE instance (id INTEGER)");
    surgery.update("INSERT INTO instance VALUES (7)");
    surgery.update("PRAGMA user_version = 42");
    surgery.update("PRAGMA application_id = 43");

    for (int i = 0; i < 2; i++) {
      try (Provider store = SqliteProvider.open(folder.file())) {
        store.enqueueForOrchestrator(
            new WorkItem.StartOrchestration("x" + i, "Order", "{}", null, null), Duration.ZERO);
      }
    }

    assertThat(surgery.number("SELECT sum(id) FROM instance")).isEqualTo(7);
    assertThat(surgery.number("PRAGMA user_version")).isEqualTo(42);
    assertThat(surgery.number("PRAGMA application_id")).isEqualTo(43);
    assertThat(surgery.number("SELECT count(*) FROM duroxide_message")).isEqualTo(2);
  }

  @Test
  @DisplayName("D-38 everything that the library makes has its prefix")
  void prefix() {
    SqliteProvider.open(folder.file()).close();

    assertThat(
            new Surgery(folder.file())
                .number(
                    "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'duroxide\\_%' ESCAPE"
                        + " '\\' AND name NOT LIKE 'sqlite\\_autoindex\\_duroxide\\_%' ESCAPE"
                        + " '\\'"))
        .isZero();
  }

  @Test
  @DisplayName("a file with tables that were never released is refused")
  void otherTables() {
    SqliteProvider.open(folder.file()).close();
    new Surgery(folder.file()).update("UPDATE duroxide_migration SET name = 'tables'");

    assertThat(refused(folder.file())).hasMessageContaining("unreleased library");
  }

  @Test
  @DisplayName("a file of a newer library is refused with both versions")
  void newerVersion() {
    SqliteProvider.open(folder.file()).close();
    new Surgery(folder.file()).update("UPDATE duroxide_migration SET version = 99");

    ProviderException failure = refused(folder.file());

    assertThat(failure.retryable()).isFalse();
    assertThat(failure)
        .hasMessageContaining("schema version 99")
        .hasMessageContaining("up to " + Schema.newestVersion());
  }

  @Test
  @DisplayName("RL-074 with VERIFY a missing file is refused and not made")
  void verifiedMissing() {
    assertThat(refused(folder.file(), VERIFIED))
        .hasMessageContaining("schema version 0")
        .hasMessageContaining("needs version " + Schema.newestVersion());
    assertThat(folder.path()).isEmptyDirectory();
  }

  @ParameterizedTest(name = "RL-074 with VERIFY a file of version {0} is refused and left as it is")
  @ValueSource(ints = {0, 99})
  void verifiedVersion(int version) throws IOException {
    SqliteProvider.open(folder.file()).close();
    new Surgery(folder.file()).update("UPDATE duroxide_migration SET version = ?", version);
    byte[] before = Files.readAllBytes(folder.file());

    ProviderException failure = refused(folder.file(), VERIFIED);

    assertThat(failure.retryable()).isFalse();
    assertThat(failure)
        .hasMessageContaining("schema version " + version + ",")
        .hasMessageMatching(".* (version|up to) " + Schema.newestVersion() + ";.*");
    assertThat(folder.file()).hasBinaryContent(before);
  }

  @Test
  @DisplayName("RL-074 with VERIFY a file that does not use the log is refused and left as it is")
  void verifiedJournal() throws IOException {
    SqliteProvider.open(folder.file()).close();
    assertThat(new Surgery(folder.file()).text("PRAGMA journal_mode = DELETE")).isEqualTo("delete");
    byte[] before = Files.readAllBytes(folder.file());

    assertThat(refused(folder.file(), VERIFIED)).hasMessageContaining("journal mode 'delete'");
    assertThat(folder.file()).hasBinaryContent(before);
  }

  @Test
  @DisplayName("RL-074 with VERIFY a file of this version is opened and left as it is")
  void verified() throws IOException {
    SqliteProvider.open(folder.file()).close();
    byte[] before = Files.readAllBytes(folder.file());

    SqliteProvider.open(folder.file(), VERIFIED).close();

    assertThat(folder.file()).hasBinaryContent(before);
    try (SqliteProvider provider = SqliteProvider.open(folder.file(), VERIFIED)) {
      start(provider, "x");
    }
    assertThat(new Surgery(folder.file()).number("SELECT count(*) FROM duroxide_message"))
        .isEqualTo(1);
  }

  @Test
  @DisplayName("RL-074 a store in memory is made, with VERIFY too")
  void verifiedMemory() {
    try (SqliteProvider provider = SqliteProvider.inMemory(VERIFIED)) {
      start(provider, "x");
    }
  }

  @Test
  @DisplayName("a new file that many open at once gets its tables once")
  void openedAtOnce() throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(OPENERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        Path file = folder.path().resolve("store-" + round + ".db");
        Callable<SqliteProvider> open = () -> SqliteProvider.open(file);
        List<SqliteProvider> providers = new ArrayList<>();
        for (Future<SqliteProvider> opened :
            threads.invokeAll(Collections.nCopies(OPENERS, open))) {
          providers.add(opened.get());
        }
        providers.forEach(provider -> start(provider, "x"));
        assertThat(new Surgery(file).number("SELECT count(*) FROM duroxide_migration"))
            .isEqualTo(1);
        assertThat(new Surgery(file).number("SELECT count(*) FROM duroxide_message"))
            .isEqualTo(OPENERS);
        providers.forEach(SqliteProvider::close);
      }
    }
  }

  @Test
  @DisplayName("a damaged page is told as damage, with the file and what to do")
  void damagedPage() throws IOException {
    try (SqliteProvider provider = SqliteProvider.open(folder.file())) {
      for (int i = 0; i < 200; i++) {
        start(provider, "instance-" + i);
      }
    }
    try (RandomAccessFile file = new RandomAccessFile(folder.file().toFile(), "rw")) {
      for (long at = PAGE; at < file.length(); at += PAGE) {
        file.seek(at);
        file.write(new byte[PAGE / 2]);
      }
    }

    ProviderException failure =
        catchThrowableOfType(
            ProviderException.class,
            () -> {
              try (SqliteProvider provider = SqliteProvider.open(folder.file())) {
                provider.fetchOrchestrationItem(
                    OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO));
              }
            });

    assertThat(failure.kind()).isEqualTo(Kind.CORRUPT_DATA);
    assertThat(failure)
        .hasMessageContaining(folder.file().toString())
        .hasMessageContaining("backup");
  }

  @Test
  @DisplayName("what one process leaves, the next finds")
  void reopened() throws InterruptedException {
    try (SqliteProvider provider = SqliteProvider.open(folder.file())) {
      start(provider, "x");
    }
    try (SqliteProvider provider = SqliteProvider.open(folder.file())) {
      assertThat(
              provider.fetchOrchestrationItem(
                  OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO)))
          .isPresent();
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "with blanks.db",
        "100%.db",
        "%41.db",
        "#1.db",
        "really?.db",
        "a?b=c&mode=memory.db",
        "Bücher 📚.db",
        "semi;colon'quote\"s.db",
        "file:x.db",
        ":memory:"
      })
  @DisplayName("a file may have any name")
  void anyName(String name) throws InterruptedException {
    Path file = folder.path().resolve(name);
    try (SqliteProvider provider = SqliteProvider.open(file)) {
      start(provider, "x");
    }
    assertThat(file).isRegularFile();
    assertThat(folder.path()).isDirectoryContaining(each -> each.equals(file));
    try (SqliteProvider provider = SqliteProvider.open(file)) {
      assertThat(
              provider.fetchOrchestrationItem(
                  OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO)))
          .isPresent();
      assertThat(provider.status("x")).isEmpty();
    }
  }

  @Test
  @DisplayName("a commit waits for the disk unless told otherwise")
  void durability() throws SQLException {
    assertThat(synchronous(SqliteOptions.DEFAULT)).isEqualTo(FULL);
    assertThat(synchronous(SqliteOptions.DEFAULT.withDurability(Durability.NORMAL)))
        .isEqualTo(NORMAL);
  }

  private long synchronous(SqliteOptions options) throws SQLException {
    try (Sql sql = Database.in(folder.file(), options).openWriter()) {
      return sql.number("PRAGMA synchronous");
    }
  }

  @Test
  @DisplayName("a file that cannot be written to is named")
  void readOnlyFile() {
    Path file = Path.of("/proc/version");
    assertThat(file).isRegularFile();

    ProviderException failure = refused(file);

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("write to it");
  }
}
