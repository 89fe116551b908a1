package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits of turns that follow from activities and are of the usual kind. The server may decline
 * some of them; those go the general way, which knows all cases.
 */
final class StepCommits implements Batch {
  private final StoreClock clock;
  private final long node;
  private final List<CommitTurn> turns;
  private final List<SettledTurn> settled = new ArrayList<>();
  private @Nullable TurnCommits instead;

  StepCommits(StoreClock clock, long node, List<CommitTurn> turns) {
    this.clock = clock;
    this.node = node;
    this.turns =
        turns.stream().sorted(Comparator.comparingLong(turn -> turn.lock().key())).toList();
  }

  static boolean suits(CommitTurn turn) {
    return turn.step() != null && LoneCommit.suits(turn);
  }

  private static final String COMMIT =
      """
      SELECT * FROM @.commit_steps_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return instead == null ? COMMIT : instead.statement();
  }

  /** Only the general way can tell what became of the first try. */
  @Override
  public void again() {
    instead = new TurnCommits(clock, node, turns);
    instead.again();
  }

  @Override
  public void bind(Binder to) throws SQLException {
    if (instead != null) {
      instead.bind(to);
      return;
    }
    to.number(clock.given());
    to.number(node);
    TurnColumns columns = new TurnColumns(turns);
    columns.bindTurns(to);
    columns.bindSteps(to);
    columns.bindMetadata(to);
    bindEvents(to);
    bindOrders(to);
  }

  private void bindEvents(Binder to) throws SQLException {
    List<TurnPart<StoredEvent>> events = TurnPart.of(turns, turn -> turn.parts().events());
    to.ints(events, TurnPart::turn);
    to.longs(events, part -> part.value().id());
    to.texts(events, part -> part.value().data());
  }

  private void bindOrders(Binder to) throws SQLException {
    List<TurnPart<Order>> orders = TurnPart.of(turns, CommitTurn::orders);
    to.ints(orders, TurnPart::turn);
    to.longs(orders, part -> part.value().work().key().activityId());
    to.texts(orders, part -> part.value().work().name());
    to.texts(orders, part -> part.value().work().tag());
    to.texts(orders, part -> part.value().work().session());
    to.texts(orders, part -> part.value().work().payload());
    to.uuids(orders, part -> part.value().secret());
    to.maybeLongs(orders, part -> part.value().lock());
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    if (instead != null) {
      instead.read(rows);
      return;
    }
    settled.clear();
    for (CommitTurn turn : turns) {
      rows.next();
      SettledTurn.tell(turn, rows).ifPresent(settled::add);
    }
  }

  @Override
  public void announce(Wakes turnWakes, Wakes workWakes) {
    if (instead != null) {
      instead.announce(turnWakes, workWakes);
      return;
    }
    long now = clock.millis();
    settled.forEach(turn -> turn.announce(now, turnWakes, workWakes));
  }
}
