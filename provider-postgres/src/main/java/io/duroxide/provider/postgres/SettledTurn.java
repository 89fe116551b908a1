package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/** A committed turn and when its instance has its next message. */
record SettledTurn(CommitTurn turn, long next) {

  /** From a row that has it in the second column. */
  static SettledTurn read(CommitTurn turn, ResultSet row) throws SQLException {
    long next = row.getLong(2);
    return new SettledTurn(turn, row.wasNull() ? Millis.NEVER : next);
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
