package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** A committed turn and when its instance has its next message. */
record SettledTurn(NewTurn turn, long next) {

  /** From a row that has it in the second column. */
  static SettledTurn read(CommitTurn turn, ResultSet row) throws SQLException {
    long next = row.getLong(2);
    return new SettledTurn(turn, row.wasNull() ? Millis.NEVER : next);
  }

  /** Tells a turn of the usual kind what became of it; empty if it was not committed. */
  static Optional<SettledTurn> tell(CommitTurn turn, ResultSet row) throws SQLException {
    int verdict = row.getInt(1);
    if (row.wasNull()) {
      turn.decline();
      return Optional.empty();
    }
    return turn.conclude(verdict, null) ? Optional.of(read(turn, row)) : Optional.empty();
  }

  /** Says what the turn has made ready. */
  void announce(long now, Wakes turns, Wakes work) {
    for (Order order : turn.orders()) {
      if (order.lock() == null) {
        work.ready(1);
      } else {
        work.later(now + order.lock());
      }
    }
    for (NewMessage message : turn.parts().messages()) {
      message.announce(turns, message.fireAt() > 0 ? message.fireAt() : now, now);
    }
    if (next > now) {
      turns.later(next);
    } else {
      turns.ready(1);
    }
  }
}
