package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Renewals of activity locks, or locks given up; never both. */
record WorkKeeping(StoreClock clock, boolean renews, List<KeepWork> commands) implements Batch {
  private static final String RENEW =
      """
      SELECT * FROM @.renew_work_v1(?, ?, ?, ?, ?, ?)
      """;

  private static final String ABANDON =
      """
      SELECT * FROM @.abandon_work_v1(?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return renews ? RENEW : ABANDON;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.longs(commands, keep -> keep.lock().instance());
    to.longs(commands, keep -> keep.lock().execution());
    to.longs(commands, keep -> keep.lock().activity());
    to.uuids(commands, keep -> keep.lock().secret());
    to.longs(commands, KeepWork::span);
    if (!renews) {
      to.flags(commands, KeepWork::ignoresAttempt);
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
    for (KeepWork keep : commands) {
      if (keep.span() > 0) {
        work.later(now + keep.span());
      } else {
        work.ready(1);
      }
    }
  }
}
