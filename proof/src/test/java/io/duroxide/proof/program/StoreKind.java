package io.duroxide.proof.program;

import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.support.SharedServer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The stores that entities live in. */
enum StoreKind {
  MEMORY {
    @Override
    Supplier<Provider> handles(Path folder) {
      Provider store = MemoryProvider.create();
      return () -> store;
    }
  },
  SQLITE {
    @Override
    Supplier<Provider> handles(Path folder) {
      return () -> SqliteProvider.open(folder.resolve("store.db"));
    }
  },
  POSTGRES {
    @Override
    Supplier<Provider> handles(Path folder) {
      String schema = "program_" + SCHEMAS.incrementAndGet();
      return () ->
          PostgresProvider.open(SharedServer.url(), PostgresOptions.DEFAULT.withSchema(schema));
    }
  };

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  /** Opens a new store, the same each time; one with a file has it in this folder. */
  abstract Supplier<Provider> handles(Path folder);

  /** A new store; one with a file has it in this folder. */
  final Provider open(Path folder) {
    return handles(folder).get();
  }
}
