package io.duroxide.provider.sqlite;

import java.sql.SQLException;

/**
 * One operation, run by the writer inside a transaction that it shares with others.
 *
 * <p>It refuses before it writes. If it fails after that, the whole group is rolled back and each
 * command runs again in a transaction of its own, so it must be safe to run twice.
 */
@FunctionalInterface
interface Command<T> {
  T run(Tables tables) throws SQLException;
}
