package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.util.List;

/** Renewals of instance locks, or locks given up. */
final class TurnKeeping extends Keeping<KeepTurn> {
  private static final String RENEW =
      """
      SELECT * FROM @.renew_turns(?, ?, ?, ?)
      """;

  private static final String ABANDON =
      """
      SELECT * FROM @.abandon_turns(?, ?, ?, ?, ?)
      """;

  TurnKeeping(StoreClock clock, List<KeepTurn> commands) {
    super(clock, commands);
  }

  @Override
  public String statement() {
    return renews() ? RENEW : ABANDON;
  }

  @Override
  void bindLocks(List<KeepTurn> commands, Binder to) throws SQLException {
    to.longs(commands, keep -> keep.lock().key());
    to.uuids(commands, keep -> keep.lock().secret());
  }

  @Override
  Wakes concerned(Wakes turns, Wakes work) {
    return turns;
  }
}
