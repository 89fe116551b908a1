package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.time.Duration;

/** The worker queue and what routes its activities. Confined to the writer. */
record Workers(WorkerQueue queue, Lanes lanes, Sessions sessions) {

  static Workers on(Tx tx, Instances instances, Tokens tokens) {
    Lanes lanes = new Lanes(tx);
    return new Workers(new WorkerQueue(tx, instances, lanes, tokens), lanes, new Sessions(tx));
  }

  /** Renews the lock of an activity, which uses its session. */
  void renew(String token, Duration extendFor) throws SQLException {
    sessions.touch(queue.renew(token, extendFor).session());
  }

  /** Removes the activity that {@code token} validly locks. */
  void complete(String operation, String token) throws SQLException {
    sessions.touch(queue.deleteLocked(operation, token));
  }
}
