package io.duroxide.provider.sqlite;

import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import java.sql.SQLException;

/** The commit of a turn by whoever holds the lock of its instance. Run by the writer. */
final class TurnAck implements Command<TurnAck.Committed> {
  private static final String OPERATION = "ackOrchestrationItem";

  private final String token;
  private final Turn turn;

  TurnAck(String token, TurnCommit commit, WorkClaim claim) {
    this.token = token;
    this.turn = new Turn(commit, claim);
  }

  /** An instance whose turn was committed. */
  record Committed(String instance, CommittedTurn turn) {}

  @Override
  public Committed run(Tables tables) throws SQLException {
    InstanceRow row = tables.orchestratorQueue().validHolder(OPERATION, token);
    turn.check();
    return new Committed(row.id(), turn.write(tables, row, Tokens.batch(OPERATION, token)));
  }
}
