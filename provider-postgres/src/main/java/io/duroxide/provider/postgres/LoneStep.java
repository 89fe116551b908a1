package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.Event;
import io.duroxide.model.WorkItem;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The commit of the only turn in a group, if it is a step of a chain: the outcome of an activity
 * and the next one, which whoever commits it runs, and nothing else.
 */
final class LoneStep extends UsualCommits {
  /** The verdict on a step whose next activity the instance holds. */
  static final int HELD = 5;

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
    return step != null && suits(turn)
        ? new LoneStep(clock, node, turn, step)
        : new LoneCommit(clock, node, turn);
  }

  /** Whether a turn of the usual kind is a step of a chain. */
  static boolean suits(CommitTurn turn) {
    CommitTurn.Step step = turn.step();
    TurnParts parts = turn.parts();
    return step != null
        && parts.events().size() == EVENTS
        && parts.oldestEvent() == step.lastEvent() + 1
        && !parts.isNoted(turn.commit().metadata())
        && step.activity().execution() == turn.commit().executionId()
        && turn.orders().size() == 1
        && turn.orders().getFirst().secret() != null
        && (!turn.endsHeld() || followsHeld(turn, step));
  }

  /** Whether the activity that was held is that of the last event, and the next one can be held. */
  private static boolean followsHeld(CommitTurn turn, CommitTurn.Step step) {
    return step.activity().activity() == step.lastEvent() && canBeHeld(turn);
  }

  /** Whether its event says all there is to the next activity, once it is asked for again. */
  private static boolean canBeHeld(CommitTurn turn) {
    WorkItem.ActivityExecute next = turn.orders().getFirst().work().item();
    Event event = turn.commit().historyDelta().getLast();
    return next.routing().sessionId() == null
        && Scheduled.in(event, next.origin().orchestration(), next.origin().version())
            .equals(Optional.of(next));
  }

  private static final String COMMIT =
      """
      SELECT @.commit_step_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), NULL::bigint
      """;

  private static final String COMMIT_HELD =
      """
      SELECT @.commit_held_v1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), NULL::bigint
      """;

  @Override
  String call() {
    return turn.endsHeld() ? COMMIT_HELD : COMMIT;
  }

  @Override
  void bindTurns(Binder to) throws SQLException {
    Order order = turn.orders().getFirst();
    ActivityOrigin origin = order.work().item().origin();
    to.number(turn.lock().key());
    to.uuid(turn.lock().secret());
    to.number(turn.commit().executionId());
    if (!turn.endsHeld()) {
      to.number(step.activity().activity());
    }
    to.uuid(step.activity().secret());
    to.uuid(step.tip().secret());
    to.number(step.lastEvent());
    to.text(turn.parts().events().getFirst().data());
    to.text(turn.parts().events().getLast().data());
    if (turn.endsHeld()) {
      to.text(order.work().name());
      to.text(order.work().tag());
      to.uuid(order.secret());
      to.number(order.lock());
    } else {
      LoneCommit.bindOrder(to, turn);
      to.flag(canBeHeld(turn));
    }
    to.text(origin.orchestration());
    to.text(origin.version());
  }
}
