package io.duroxide.provider.sqlite;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

/** The commit of a turn, if its source allows it. Run by the writer. */
final class TurnAck implements Command<Optional<TurnAck.Committed>> {
  private final TurnSource source;
  private final Turn turn;
  private final boolean named;

  TurnAck(TurnSource source, TurnCommit commit, WorkClaim claim) {
    this.source = source;
    this.turn = new Turn(commit, claim);
    ExecutionMetadata metadata = commit.metadata();
    this.named = metadata.orchestrationName() != null && metadata.orchestrationVersion() != null;
  }

  /** An instance whose turn was committed. */
  record Committed(String instance, CommittedTurn turn) {}

  @Override
  public Optional<Committed> run(Tables tables) throws SQLException {
    return switch (source) {
      case TurnSource.Fetched fetched -> held(tables, fetched.lockToken());
      case TurnSource.AfterActivity step -> after(tables, step);
      case TurnSource.NewInstance begun -> first(tables, begun.start());
    };
  }

  private Optional<Committed> held(Tables tables, String token) throws SQLException {
    InstanceRow row = tables.orchestratorQueue().validHolder(Turn.OPERATION, token);
    turn.check();
    Batch batch = Objects.requireNonNull(row.lock().batch());
    if (turn.isHeldUpByMail(tables, batch)) {
      return Optional.empty();
    }
    return Optional.of(new Committed(row.id(), turn.write(tables, row, token, batch)));
  }

  /** The end of an activity and the turn that it causes. */
  private Optional<Committed> after(Tables tables, TurnSource.AfterActivity step)
      throws SQLException {
    turn.check();
    String token = step.workToken();
    InstanceRow row = tables.instances().find(Tokens.work(Turn.OPERATION, token).instance());
    if (row == null
        || !isUndisturbed(row, step)
        || !isQuiet(tables, row)
        || turn.isHeldUpByMail(tables, Batch.whole(row.key(), 0, 0))) {
      return Optional.empty();
    }
    tables.workers().complete(Turn.OPERATION, token);
    return Optional.of(
        new Committed(row.id(), turn.write(tables, row, newToken(tables, row.key()), null)));
  }

  /** Whether nothing was recorded since the caller's last commit. */
  private static boolean isUndisturbed(InstanceRow row, TurnSource.AfterActivity step) {
    return row.exists()
        && row.id().equals(step.execution().instance())
        && row.execution() == step.execution().executionId()
        && row.lastEvent() == step.tip().lastEventId()
        && Tokens.isOf(step.tip().commitToken(), row.key());
  }

  /** Whether nobody works on the instance and nothing waits to be fetched. */
  private static boolean isQuiet(Tables tables, InstanceRow row) throws SQLException {
    long now = tables.tx().now();
    if (row.lock().isValid(now)) {
      return false;
    }
    Place oldest = row.isInLine() ? tables.messages().first(row.key()) : null;
    return oldest == null || oldest.at() > now;
  }

  /** A new instance and its first turn. Whoever has anything here, if only a message, has a row. */
  private Optional<Committed> first(Tables tables, WorkItem.StartOrchestration start)
      throws SQLException {
    turn.check();
    Instances instances = tables.instances();
    if (!named || instances.find(start.instance()) != null) {
      return Optional.empty();
    }
    InstanceRow.Ref ref = instances.newRef(start.instance());
    return Optional.of(
        new Committed(start.instance(), turn.writeFirst(tables, ref, newToken(tables, ref.key()))));
  }

  private static String newToken(Tables tables, long instance) {
    return tables.tokens().forTurn(Batch.whole(instance, tables.tx().now(), 0));
  }
}
