package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** New instances with their first turns. */
final class Begins implements Batch {
  private final StoreClock clock;
  private final long node;
  private final List<Begin> begins;
  private final List<SettledTurn> begun = new ArrayList<>();

  private Begins(StoreClock clock, long node, List<Begin> begins) {
    this.clock = clock;
    this.node = node;
    this.begins = begins;
  }

  /** The instances in the order in which everyone makes them. */
  static Begins of(StoreClock clock, long node, List<Begin> begins) {
    return new Begins(
        clock, node, begins.stream().sorted(Comparator.comparing(Begin::instance)).toList());
  }

  private static final String BEGIN =
      """
      SELECT * FROM @.begin_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return BEGIN;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.number(node);
    to.texts(begins, Begin::instance);
    to.uuids(begins, Begin::secret);
    to.longs(begins, begin -> begin.parts().newestEvent());
    NewTurnColumns columns = NewTurnColumns.of(begins);
    columns.bindMetadata(to);
    columns.bindEvents(to);
    columns.bindOrders(to);
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    begun.clear();
    for (Begin begin : begins) {
      rows.next();
      long key = rows.getLong(1);
      if (rows.wasNull()) {
        begin.succeed(Optional.empty());
      } else {
        begin.begun(key);
        begun.add(new SettledTurn(begin, Millis.NEVER));
      }
    }
  }

  @Override
  public void announce(Wakes turnWakes, Wakes workWakes) {
    long now = clock.millis();
    begun.forEach(turn -> turn.announce(now, turnWakes, workWakes));
  }
}
