package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.util.function.Supplier;

/** Everything a command works with. Confined to the writer. */
record Tables(
    Tx tx,
    Tokens tokens,
    Instances instances,
    Messages messages,
    OrchestratorQueue orchestratorQueue,
    Workers workers,
    Records records) {

  /** Begins a command at its own time; a clock that was set back is followed first. */
  void beginCommand() throws SQLException {
    ClockWatch.Step step = tx.readClock();
    if (step != null) {
      new ClockShift(this, step).run();
      tx.shifted(step);
    }
    tx.beginCommand();
  }

  static Tables on(Tx tx, Supplier<String> secrets) {
    Instances instances = new Instances(tx);
    Messages messages = new Messages(tx);
    Tokens tokens = new Tokens(secrets);
    return new Tables(
        tx,
        tokens,
        instances,
        messages,
        new OrchestratorQueue(tx, instances, messages),
        Workers.on(tx, instances, tokens),
        Records.on(tx));
  }
}
