package io.duroxide.provider.sqlite;

/** Reads of a database that has one connection only: in turn with the writes. Thread-safe. */
record WriterReaders(Writer writer) implements Readers {

  @Override
  public <T> T read(String operation, Query<T> query) {
    return writer.call(
        operation,
        tables -> {
          tables.tx().writeTotals();
          return query.run(tables.tx().sql());
        });
  }

  @Override
  public void close() {}
}
