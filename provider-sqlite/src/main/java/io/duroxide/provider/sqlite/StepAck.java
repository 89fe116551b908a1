package io.duroxide.provider.sqlite;

import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.StepCommit;
import java.sql.SQLException;
import java.util.Optional;

/** The end of an activity and the turn that it causes, in one step. Run by the writer. */
final class StepAck implements Command<Optional<CommittedStep>> {
  private static final String OPERATION = "ackStep";

  private final String token;
  private final StepCommit step;
  private final Turn turn;

  StepAck(String token, StepCommit step) {
    this.token = token;
    this.step = step;
    this.turn = new Turn(step.turn(), step.claim());
  }

  @Override
  public Optional<CommittedStep> run(Tables tables) throws SQLException {
    turn.check();
    InstanceRow row = tables.instances().find(Tokens.work(OPERATION, token).instance());
    if (row == null || !isUndisturbed(row) || !isQuiet(tables, row)) {
      return Optional.empty();
    }
    tables.workers().complete(OPERATION, token);
    String commitToken = tables.tokens().forTurn(new Batch(row.key(), tables.tx().now(), 0));
    return Optional.of(new CommittedStep(commitToken, turn.write(tables, row, null)));
  }

  /** Whether nothing was recorded since the caller's last commit. */
  private boolean isUndisturbed(InstanceRow row) {
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
}
