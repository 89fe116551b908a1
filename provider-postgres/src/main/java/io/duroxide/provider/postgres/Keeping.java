package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Renewals of locks, or locks given up; never both. */
abstract sealed class Keeping<K extends Keep> implements Batch permits TurnKeeping, WorkKeeping {
  private final StoreClock clock;
  private final List<K> commands;
  private final boolean renews;

  Keeping(StoreClock clock, List<K> commands) {
    this.clock = clock;
    this.commands = commands;
    this.renews = commands.getFirst().renews();
  }

  boolean renews() {
    return renews;
  }

  /** Says where the locked rows stand, and their secrets. */
  abstract void bindLocks(List<K> commands, Binder to) throws SQLException;

  /** Which waiters a lock that ends concerns. */
  abstract Wakes concerned(Wakes turns, Wakes work);

  @Override
  public final void bind(Binder to) throws SQLException {
    to.number(clock.given());
    bindLocks(commands, to);
    to.longs(commands, Keep::span);
    if (!renews) {
      to.flags(commands, Keep::ignoresAttempt);
    }
  }

  @Override
  public final void read(ResultSet rows) throws SQLException {
    commands.forEach(keep -> keep.fail(Refusal.lockLost(keep.operation(), keep.token())));
    while (rows.next()) {
      int position = rows.getInt(1);
      commands.get(Math.abs(position) - 1).succeed(position > 0);
    }
  }

  @Override
  public final boolean onlyMovesLocks() {
    return true;
  }

  @Override
  public final void announce(Wakes turns, Wakes work) {
    Wakes concerned = concerned(turns, work);
    long now = clock.millis();
    for (Keep keep : commands) {
      if (keep.span() > 0) {
        concerned.later(now + keep.span());
      } else {
        concerned.ready(1);
      }
    }
  }
}
