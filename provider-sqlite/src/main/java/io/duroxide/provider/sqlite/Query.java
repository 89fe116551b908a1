package io.duroxide.provider.sqlite;

import java.sql.SQLException;

/** A read on one snapshot of the store. */
@FunctionalInterface
interface Query<T> {
  T run(Sql sql) throws SQLException;
}
