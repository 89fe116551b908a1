package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

/** Commits of several turns that follow from activities and are of the usual kind. */
final class StepCommits extends UsualCommits {
  private final List<CommitTurn> turns;

  private StepCommits(StoreClock clock, long node, List<CommitTurn> turns) {
    super(clock, node, turns);
    this.turns = turns;
  }

  /** The turns in the order in which everyone locks their instances. */
  static StepCommits of(StoreClock clock, long node, List<CommitTurn> turns) {
    return new StepCommits(
        clock,
        node,
        turns.stream().sorted(Comparator.comparingLong(turn -> turn.lock().key())).toList());
  }

  /** Whether a turn follows from an activity and is of the usual kind. */
  static boolean suitsSteps(CommitTurn turn) {
    return turn.step() != null && UsualCommits.suits(turn);
  }

  private static final String COMMIT =
      """
      SELECT * FROM @.commit_steps_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  String call() {
    return COMMIT;
  }

  @Override
  void bindTurns(Binder to) throws SQLException {
    TurnColumns columns = new TurnColumns(turns);
    columns.bindTurns(to);
    columns.bindSteps(to);
    columns.bindMetadata(to);
    columns.bindEvents(to);
    NewTurnColumns.of(turns).bindOrders(to);
  }
}
