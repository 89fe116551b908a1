package io.duroxide.provider.sqlite;

import io.duroxide.provider.Answer;
import java.sql.SQLException;

/** A command on its way, and the caller who waits for it. Thread-safe. */
final class Pending<T> {
  private final String operation;
  private final Command<T> command;
  private final boolean lasts;
  private final Answer<T> answer = new Answer<>();

  /**
   * A command.
   *
   * @param lasts whether what it commits must survive a loss of power
   */
  Pending(String operation, Command<T> command, boolean lasts) {
    this.operation = operation;
    this.command = command;
    this.lasts = lasts;
  }

  boolean lasts() {
    return lasts;
  }

  String operation() {
    return operation;
  }

  /** Its answer is kept back until it is published. */
  Answer<T> answer() {
    return answer;
  }

  void run(Tables tables) throws SQLException {
    answer.succeed(command.run(tables));
  }
}
