package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.util.List;

/** Renewals of activity locks, or locks given up. */
final class WorkKeeping extends Keeping<KeepWork> {
  private static final String RENEW =
      """
      SELECT * FROM @.renew_work(?, ?, ?, ?, ?, ?)
      """;

  private static final String ABANDON =
      """
      SELECT * FROM @.abandon_work(?, ?, ?, ?, ?, ?, ?)
      """;

  WorkKeeping(StoreClock clock, List<KeepWork> commands) {
    super(clock, commands);
  }

  @Override
  public String statement() {
    return renews() ? RENEW : ABANDON;
  }

  @Override
  void bindLocks(List<KeepWork> commands, Binder to) throws SQLException {
    to.longs(commands, keep -> keep.lock().instance());
    to.longs(commands, keep -> keep.lock().execution());
    to.longs(commands, keep -> keep.lock().activity());
    to.uuids(commands, keep -> keep.lock().secret());
  }

  @Override
  Wakes concerned(Wakes turns, Wakes work) {
    return work;
  }
}
