package io.duroxide.provider.sqlite;

import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.StartCommit;
import java.sql.SQLException;
import java.util.Optional;

/** A new instance and its first turn, in one step. Run by the writer. */
final class StartAck implements Command<Optional<CommittedStep>> {
  private final String instance;
  private final boolean named;
  private final Turn turn;

  StartAck(StartCommit start) {
    this.instance = start.start().instance();
    ExecutionMetadata metadata = start.turn().metadata();
    this.named = metadata.orchestrationName() != null && metadata.orchestrationVersion() != null;
    this.turn = new Turn(start.turn(), start.claim());
  }

  /** Whoever has anything here, if only a message, has a row. */
  @Override
  public Optional<CommittedStep> run(Tables tables) throws SQLException {
    turn.check();
    Instances instances = tables.instances();
    if (!named || instances.find(instance) != null) {
      return Optional.empty();
    }
    InstanceRow.Ref ref = instances.newRef(instance);
    String commitToken = tables.tokens().forTurn(new Batch(ref.key(), tables.tx().now(), 0));
    return Optional.of(new CommittedStep(commitToken, turn.writeFirst(tables, ref)));
  }
}
