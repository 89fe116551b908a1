package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Renewals of instance locks, or locks given up; never both. */
record TurnKeeping(StoreClock clock, boolean renews, List<KeepTurn> commands) implements Batch {
  private static final String RENEW =
      """
      SELECT * FROM @.renew_turns_v1(?, ?, ?, ?)
      """;

  private static final String ABANDON =
      """
      SELECT * FROM @.abandon_turns_v1(?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return renews ? RENEW : ABANDON;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.longs(commands, keep -> keep.lock().key());
    to.uuids(commands, keep -> keep.lock().secret());
    to.longs(commands, KeepTurn::span);
    if (!renews) {
      to.flags(commands, KeepTurn::ignoresAttempt);
    }
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    commands.forEach(keep -> keep.fail(Refusal.lockLost(keep.operation(), keep.lock().text())));
    while (rows.next()) {
      commands.get(rows.getInt(1) - 1).succeed(true);
    }
  }

  @Override
  public boolean onlyMovesLocks() {
    return true;
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    long now = clock.millis();
    for (KeepTurn keep : commands) {
      if (keep.span() > 0) {
        turns.later(now + keep.span());
      } else {
        turns.ready(1);
      }
    }
  }
}
