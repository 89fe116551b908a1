package io.duroxide.benchmarks.workloads;

import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the workloads run on, each on an empty store of its own. */
final class Subjects implements AutoCloseable {
  static final String MEMORY = "memory";
  static final String DBOS = "dbos";

  /** Those of one list are compared, so they run in turn: the machine is then the same to them. */
  static final List<List<String>> ALL =
      List.of(List.of(MEMORY), List.of("sqlite"), List.of("postgres", DBOS));

  private final Path folder;
  private @Nullable PostgresServer server;
  private int opened;

  Subjects(Path folder) {
    this.folder = folder;
  }

  Subject open(String name, RuntimeOptions options) throws IOException {
    opened++;
    return switch (name) {
      case MEMORY -> new Duroxide(name, MemoryProvider.create(), options, Cost::ofThisProcess);
      case "sqlite" ->
          new Duroxide(
              name,
              SqliteProvider.open(folder.resolve(opened + ".db")),
              options,
              Cost::ofThisProcess);
      case "postgres" -> postgres(name, options);
      case DBOS -> new Dbos(server(), "dbos_" + opened);
      default -> throw new IllegalArgumentException("no such subject: " + name);
    };
  }

  /** Several nodes on one store in PostgreSQL. */
  List<Subject> openNodes(int count, RuntimeOptions options) throws IOException {
    opened++;
    List<Subject> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(postgres("node " + i, options));
    }
    return nodes;
  }

  private Subject postgres(String name, RuntimeOptions options) throws IOException {
    PostgresServer running = server();
    PostgresProvider store =
        PostgresProvider.open(
            running.url(), PostgresOptions.DEFAULT.withSchema("duroxide_" + opened));
    return new Duroxide(
        name, store, options, () -> Cost.ofThisProcess().withServer(running.cost()));
  }

  /** Started when first needed. */
  private PostgresServer server() throws IOException {
    if (server == null) {
      server = new PostgresServer();
    }
    return server;
  }

  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
    }
  }
}
