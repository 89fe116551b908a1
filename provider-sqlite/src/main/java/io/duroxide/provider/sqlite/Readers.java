package io.duroxide.provider.sqlite;

/** Runs reads; none of them holds up the writer for longer than it must. Thread-safe. */
interface Readers extends AutoCloseable {

  <T> T read(String operation, Query<T> query);

  @Override
  void close();
}
