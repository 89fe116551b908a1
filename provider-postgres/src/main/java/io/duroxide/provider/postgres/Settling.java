package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Gives held activities rows of their own again, before others of the same group look for them.
 *
 * @param keys the numbers of instances
 */
record Settling(List<Long> keys) implements Batch {
  private static final String SETTLE =
      """
      SELECT @.settle_v1(?)
      """;

  @Override
  public String statement() {
    return SETTLE;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.longs(keys, key -> key);
  }

  @Override
  public void read(ResultSet rows) {}

  @Override
  public void announce(Wakes turns, Wakes work) {}

  @Override
  public boolean onlyMovesLocks() {
    return true;
  }
}
