package io.duroxide.provider.postgres;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionMetadata;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commit of the only turn in a group, if it is of the usual kind. */
final class LoneCommit extends UsualCommits {
  private final CommitTurn turn;

  LoneCommit(StoreClock clock, long node, CommitTurn turn) {
    super(clock, node, List.of(turn));
    this.turn = turn;
  }

  private static final String COMMIT =
      """
      SELECT * FROM @.commit_turn_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  String call() {
    return COMMIT;
  }

  @Override
  void bindTurns(Binder to) throws SQLException {
    TurnParts parts = turn.parts();
    to.number(turn.lock().key());
    to.uuid(turn.lock().secret());
    to.number(turn.commit().executionId());
    to.number(parts.oldestEvent());
    to.number(parts.newestEvent());
    bindStep(to, turn.step());
    to.flag(parts.isNoted(turn.commit().metadata()));
    bindMetadata(to, turn);
    to.texts(parts.events(), StoredEvent::data);
    bindOrder(to, turn);
  }

  private static void bindStep(Binder to, CommitTurn.@Nullable Step step) throws SQLException {
    to.number(step == null ? null : step.activity().execution());
    to.number(step == null ? null : step.activity().activity());
    to.uuid(step == null ? null : step.activity().secret());
    to.uuid(step == null ? null : step.tip().secret());
    to.number(step == null ? null : step.lastEvent());
  }

  /** What a turn says of its instance, and its start of the execution. */
  static void bindMetadata(Binder to, NewTurn turn) throws SQLException {
    ExecutionMetadata metadata = turn.commit().metadata();
    String name = metadata.orchestrationName();
    String version = metadata.orchestrationVersion();
    boolean named = name != null && version != null;
    ParentLink parent = metadata.parent();
    ExecutionStatus status = metadata.status();
    Semver pin = metadata.pinnedVersion();
    to.text(named ? name : null);
    to.text(named ? version : null);
    to.text(parent == null ? null : parent.instance());
    to.number(parent == null ? null : parent.executionId());
    to.number(parent == null ? null : parent.scheduleId());
    to.text(status == null ? null : status.stored());
    to.text(metadata.output());
    to.text(pin == null ? null : TurnParts.pin(pin));
    to.maybeInteger(metadata.carryForwardCount());
    to.text(version);
    bindStart(to, turn.parts().start());
  }

  private static void bindStart(Binder to, EventKind.@Nullable OrchestrationStarted start)
      throws SQLException {
    to.text(start == null ? null : start.name());
    to.text(start == null ? null : start.version());
    to.maybeInteger(start == null ? null : start.inheritance().messages().size());
  }

  /** The activity of a turn that asks for one at most. */
  static void bindOrder(Binder to, NewTurn turn) throws SQLException {
    Order order = turn.orders().isEmpty() ? null : turn.orders().getFirst();
    NewWork work = order == null ? null : order.work();
    to.number(work == null ? null : work.key().activityId());
    to.text(work == null ? null : work.name());
    to.text(work == null ? null : work.tag());
    to.text(work == null ? null : work.session());
    to.text(work == null ? null : work.payload());
    to.uuid(order == null ? null : order.secret());
    to.number(order == null ? null : order.lock());
  }
}
