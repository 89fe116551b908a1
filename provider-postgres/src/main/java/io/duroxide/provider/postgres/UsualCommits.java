package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits of turns of the usual kind, by a function that knows no others. The server may decline
 * some of them; those go the general way, which knows all cases. Confined to a lane.
 */
abstract sealed class UsualCommits implements Batch permits LoneCommit, LoneStep, StepCommits {
  private final StoreClock clock;
  private final long node;
  private final List<CommitTurn> turns;
  private final List<SettledTurn> settled = new ArrayList<>();
  private @Nullable TurnCommits instead;

  UsualCommits(StoreClock clock, long node, List<CommitTurn> turns) {
    this.clock = clock;
    this.node = node;
    this.turns = turns;
  }

  /** The call of the function; its rows are verdict and next message, one for each turn. */
  abstract String call();

  /** Fills the parameters behind time and node. */
  abstract void bindTurns(Binder to) throws SQLException;

  /** Whether a turn does nothing that the short ways do not know. */
  static boolean suits(CommitTurn turn) {
    return !turn.isDeclined()
        && turn.isUsual()
        && turn.isSmall()
        && (turn.step() == null || turn.step().activity().instance() == turn.lock().key());
  }

  @Override
  public final String statement() {
    return instead == null ? call() : instead.statement();
  }

  /** The general way knows what to say about whatever is in the way. */
  @Override
  public final boolean undone() {
    boolean otherWay = instead == null;
    general();
    return otherWay;
  }

  /** Only the general way can tell what became of the first try. */
  @Override
  public final void again() {
    general().again();
  }

  private TurnCommits general() {
    TurnCommits way = instead == null ? new TurnCommits(clock, node, turns) : instead;
    instead = way;
    return way;
  }

  @Override
  public final void bind(Binder to) throws SQLException {
    if (instead != null) {
      instead.bind(to);
      return;
    }
    to.number(clock.given());
    to.number(node);
    bindTurns(to);
  }

  @Override
  public final void read(ResultSet rows) throws SQLException {
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
  public final void announce(Wakes turnWakes, Wakes workWakes) {
    if (instead != null) {
      instead.announce(turnWakes, workWakes);
      return;
    }
    long now = clock.millis();
    settled.forEach(turn -> turn.announce(now, turnWakes, workWakes));
  }
}
