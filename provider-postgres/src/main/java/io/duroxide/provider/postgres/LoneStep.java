package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.util.List;

/**
 * The commit of the only turn in a group, if it is a step of a chain: the outcome of an activity
 * and the next one, which whoever commits it runs, and nothing else.
 */
final class LoneStep extends UsualCommits {
  private static final int EVENTS = 2;

  private final CommitTurn turn;
  private final CommitTurn.Step step;

  private LoneStep(StoreClock clock, long node, CommitTurn turn, CommitTurn.Step step) {
    super(clock, node, List.of(turn));
    this.turn = turn;
    this.step = step;
  }

  /** The shortest way that a turn of the usual kind can go. */
  static UsualCommits orCommit(StoreClock clock, long node, CommitTurn turn) {
    CommitTurn.Step step = turn.step();
    return step != null && isOfChain(turn, step)
        ? new LoneStep(clock, node, turn, step)
        : new LoneCommit(clock, node, turn);
  }

  private static boolean isOfChain(CommitTurn turn, CommitTurn.Step step) {
    TurnParts parts = turn.parts();
    return parts.events().size() == EVENTS
        && parts.oldestEvent() == step.lastEvent() + 1
        && !parts.isNoted(turn.commit().metadata())
        && step.activity().execution() == turn.commit().executionId()
        && turn.orders().size() == 1
        && turn.orders().getFirst().secret() != null;
  }

  private static final String COMMIT =
      """
      SELECT @.commit_step_v1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), NULL::bigint
      """;

  @Override
  String call() {
    return COMMIT;
  }

  @Override
  void bindTurns(Binder to) throws SQLException {
    to.number(turn.lock().key());
    to.uuid(turn.lock().secret());
    to.number(turn.commit().executionId());
    to.number(step.activity().activity());
    to.uuid(step.activity().secret());
    to.uuid(step.tip().secret());
    to.number(step.lastEvent());
    to.text(turn.parts().events().getFirst().data());
    to.text(turn.parts().events().getLast().data());
    LoneCommit.bindOrder(to, turn);
  }
}
