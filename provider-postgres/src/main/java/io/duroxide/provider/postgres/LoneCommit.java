package io.duroxide.provider.postgres;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionMetadata;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit of the only turn in a group, if it is of the usual kind. The server may decline it;
 * then it goes the general way, which knows all cases.
 */
final class LoneCommit implements Batch {
  private final StoreClock clock;
  private final long node;
  private final CommitTurn turn;
  private @Nullable SettledTurn settled;
  private @Nullable TurnCommits instead;

  LoneCommit(StoreClock clock, long node, CommitTurn turn) {
    this.clock = clock;
    this.node = node;
    this.turn = turn;
  }

  /** Whether a turn does nothing that the short way does not know. */
  static boolean suits(CommitTurn turn) {
    TurnParts parts = turn.parts();
    return !turn.isDeclined()
        && parts.values().isEmpty()
        && parts.customStatus() == null
        && parts.messages().isEmpty()
        && turn.commit().prune() == null
        && turn.commit().cancelledActivities().isEmpty()
        && parts.hasConsecutiveEvents()
        && (turn.orders().isEmpty() || isSingleAndOwn(turn))
        && (turn.step() == null || turn.step().activity().instance() == turn.lock().key());
  }

  private static boolean isSingleAndOwn(CommitTurn turn) {
    NewWork first = turn.orders().getFirst().work();
    return turn.orders().size() == 1
        && first.key().instance().equals(turn.lock().instance())
        && first.key().executionId() == turn.commit().executionId();
  }

  private static final String COMMIT =
      """
      SELECT * FROM @.commit_turn_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return instead == null ? COMMIT : instead.statement();
  }

  /** Only the general way can tell what became of the first try. */
  @Override
  public void again() {
    instead = new TurnCommits(clock, node, List.of(turn));
    instead.again();
  }

  @Override
  public void bind(Binder to) throws SQLException {
    if (instead != null) {
      instead.bind(to);
      return;
    }
    TurnParts parts = turn.parts();
    to.number(clock.given());
    to.number(node);
    to.number(turn.lock().key());
    to.uuid(turn.lock().secret());
    to.number(turn.commit().executionId());
    to.number(parts.oldestEvent());
    to.number(parts.newestEvent());
    bindStep(to, turn.step());
    bindMetadata(to, turn.commit().metadata());
    bindStart(to, parts.start());
    to.texts(parts.events(), StoredEvent::data);
    bindOrder(to, turn.orders().isEmpty() ? null : turn.orders().getFirst());
  }

  private static void bindStep(Binder to, CommitTurn.@Nullable Step step) throws SQLException {
    to.number(step == null ? null : step.activity().execution());
    to.number(step == null ? null : step.activity().activity());
    to.uuid(step == null ? null : step.activity().secret());
    to.uuid(step == null ? null : step.tip().secret());
    to.number(step == null ? null : step.lastEvent());
  }

  private void bindMetadata(Binder to, ExecutionMetadata metadata) throws SQLException {
    String name = metadata.orchestrationName();
    String version = metadata.orchestrationVersion();
    boolean named = name != null && version != null;
    ParentLink parent = metadata.parent();
    ExecutionStatus status = metadata.status();
    Semver pin = metadata.pinnedVersion();
    to.flag(turn.parts().isNoted(metadata));
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
  }

  private static void bindStart(Binder to, EventKind.@Nullable OrchestrationStarted start)
      throws SQLException {
    to.text(start == null ? null : start.name());
    to.text(start == null ? null : start.version());
    to.maybeInteger(start == null ? null : start.inheritance().messages().size());
  }

  private static void bindOrder(Binder to, @Nullable Order order) throws SQLException {
    NewWork work = order == null ? null : order.work();
    to.number(work == null ? null : work.key().activityId());
    to.text(work == null ? null : work.name());
    to.text(work == null ? null : work.tag());
    to.text(work == null ? null : work.session());
    to.text(work == null ? null : work.payload());
    to.uuid(order == null ? null : order.secret());
    to.number(order == null ? null : order.lock());
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    if (instead != null) {
      instead.read(rows);
      return;
    }
    rows.next();
    settled = SettledTurn.tell(turn, rows).orElse(null);
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    if (instead != null) {
      instead.announce(turns, work);
    } else if (settled != null) {
      settled.announce(clock.millis(), turns, work);
    }
  }
}
