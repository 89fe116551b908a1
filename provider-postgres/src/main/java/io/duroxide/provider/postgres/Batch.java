package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Commands of one kind, which run as one statement. Confined to a lane. */
interface Batch {
  /** The statement: a call of one function. */
  String statement();

  /** Fills its parameters; called again for each try. */
  void bind(Binder to) throws SQLException;

  /** Reads what it returned and tells each command its answer. */
  void read(ResultSet rows) throws SQLException;

  /** Says what it has made ready; called once its transaction is committed. */
  void announce(Wakes turns, Wakes work);

  /** Whether losing it in a crash of the server is no more than losing a lock. */
  default boolean onlyMovesLocks() {
    return false;
  }

  /** The next try comes after one whose answer was lost. */
  default void again() {}
}
