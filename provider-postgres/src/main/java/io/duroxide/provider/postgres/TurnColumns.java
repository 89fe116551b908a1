package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What functions are told of each turn that they commit, in the order of their parameters. */
record TurnColumns(List<CommitTurn> turns) {

  void bindTurns(Binder to) throws SQLException {
    to.longs(turns, turn -> turn.lock().key());
    to.uuids(turns, turn -> turn.lock().secret());
    to.longs(turns, turn -> turn.commit().executionId());
    to.longs(turns, turn -> turn.parts().oldestEvent());
    to.longs(turns, turn -> turn.parts().newestEvent());
  }

  /** Null for turns that do not follow from an activity. */
  void bindSteps(Binder to) throws SQLException {
    to.maybeLongs(turns, step(step -> step.activity().execution()));
    to.maybeLongs(turns, step(step -> step.activity().activity()));
    to.uuids(turns, step(step -> step.activity().secret()));
    to.uuids(turns, step(step -> step.tip().secret()));
    to.maybeLongs(turns, step(CommitTurn.Step::lastEvent));
  }

  static <T> Function<CommitTurn, @Nullable T> step(Function<CommitTurn.Step, T> of) {
    return turn -> {
      CommitTurn.Step step = turn.step();
      return step == null ? null : of.apply(step);
    };
  }

  void bindMetadata(Binder to) throws SQLException {
    to.flags(turns, turn -> turn.parts().isNoted(turn.commit().metadata()));
    NewTurnColumns.of(turns).bindMetadata(to);
  }

  void bindEvents(Binder to) throws SQLException {
    NewTurnColumns.of(turns).bindEvents(to);
  }
}
