package io.duroxide.provider.sqlite;

/** Runs reads; none of them holds up the writer for longer than it must. Thread-safe. */
interface Readers extends AutoCloseable {

  <T> T read(String operation, Query<T> query);

  /** Runs a read of a single statement that returns few rows. */
  default <T> T readQuickly(String operation, Query<T> query) {
    return read(operation, query);
  }

  @Override
  void close();
}
