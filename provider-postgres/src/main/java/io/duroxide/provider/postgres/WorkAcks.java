package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

/** Ends of activities, in the order in which everyone locks them. */
record WorkAcks(StoreClock clock, List<AckWork> commands) implements Batch {
  private static final Comparator<Tokens.Work> ORDER =
      Comparator.comparingLong(Tokens.Work::instance)
          .thenComparingLong(Tokens.Work::execution)
          .thenComparingLong(Tokens.Work::activity);

  WorkAcks {
    commands = commands.stream().sorted(Comparator.comparing(AckWork::lock, ORDER)).toList();
  }

  private static final String ACK =
      """
      SELECT * FROM @.ack_work(?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return ACK;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.longs(commands, ack -> ack.lock().instance());
    to.longs(commands, ack -> ack.lock().execution());
    to.longs(commands, ack -> ack.lock().activity());
    to.uuids(commands, ack -> ack.lock().secret());
    to.texts(commands, ack -> ack.outcome() == null ? null : ack.outcome().instance());
    to.texts(commands, ack -> ack.outcome() == null ? null : ack.outcome().payload());
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    commands.forEach(ack -> ack.fail(Refusal.lockLost(ack.operation(), ack.lock().text())));
    while (rows.next()) {
      commands.get(rows.getInt(1) - 1).succeed(true);
    }
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    turns.ready(commands.size());
  }
}
