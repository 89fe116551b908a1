package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** New instances with their first turns. Confined to a lane. */
abstract sealed class Begins implements Batch {
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
    return begins.size() == 1 && Lone.suits(begins.getFirst())
        ? new Lone(clock, node, begins.getFirst())
        : new Several(
            clock, node, begins.stream().sorted(Comparator.comparing(Begin::instance)).toList());
  }

  /** Fills the parameters behind time and node. */
  abstract void bindTurns(Binder to) throws SQLException;

  @Override
  public final void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.number(node);
    bindTurns(to);
  }

  @Override
  public final void read(ResultSet rows) throws SQLException {
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
  public final void announce(Wakes turnWakes, Wakes workWakes) {
    long now = clock.millis();
    begun.forEach(turn -> turn.announce(now, turnWakes, workWakes));
  }

  /** Any number of them. */
  private static final class Several extends Begins {
    private final List<Begin> begins;

    Several(StoreClock clock, long node, List<Begin> begins) {
      super(clock, node, begins);
      this.begins = begins;
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
    void bindTurns(Binder to) throws SQLException {
      to.texts(begins, Begin::instance);
      to.uuids(begins, Begin::secret);
      to.longs(begins, begin -> begin.parts().newestEvent());
      NewTurnColumns columns = NewTurnColumns.of(begins);
      columns.bindMetadata(to);
      columns.bindEvents(to);
      columns.bindOrders(to);
    }
  }

  /** The only one of a group, if it asks for one activity at most. */
  private static final class Lone extends Begins {
    private final Begin begin;

    Lone(StoreClock clock, long node, Begin begin) {
      super(clock, node, List.of(begin));
      this.begin = begin;
    }

    static boolean suits(Begin begin) {
      return begin.isSmall() && begin.parts().oldestEvent() == 1;
    }

    private static final String BEGIN =
        """
        SELECT @.begin_one_v1(
          ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
          ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;

    @Override
    public String statement() {
      return BEGIN;
    }

    @Override
    void bindTurns(Binder to) throws SQLException {
      to.text(begin.instance());
      to.uuid(begin.secret());
      to.number(begin.parts().newestEvent());
      LoneCommit.bindMetadata(to, begin);
      to.texts(begin.parts().events(), StoredEvent::data);
      LoneCommit.bindOrder(to, begin);
    }
  }
}
