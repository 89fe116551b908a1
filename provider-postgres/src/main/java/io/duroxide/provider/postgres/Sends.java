package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Messages from outside turns.
 *
 * @param receipt tells a repeated call that the first one arrived
 */
record Sends(StoreClock clock, List<Send> commands, Receipts.Receipt receipt, List<Line> lines)
    implements Batch {

  /** A message and how long it stays hidden. */
  record Line(NewMessage message, long delay) {}

  static Sends of(StoreClock clock, List<Send> commands, Receipts.Receipt receipt) {
    List<Line> lines = new ArrayList<>();
    for (Send command : inOrder(commands)) {
      command.messages().forEach(message -> lines.add(new Line(message, command.delay())));
    }
    return new Sends(clock, commands, receipt, lines);
  }

  /** What was sent at the same time may come in any order; this one keeps lanes from deadlocks. */
  private static List<Send> inOrder(List<Send> commands) {
    return commands.stream()
        .sorted(Comparator.comparing(send -> send.messages().getFirst().instance()))
        .toList();
  }

  private static final String ENQUEUE =
      """
      SELECT @.enqueue(?, ?, ?, ?::jsonb)
      """;

  @Override
  public String statement() {
    return ENQUEUE;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.uuid(receipt.id());
    to.uuids(receipt.settled(), id -> id);
    to.rows(RowText.listOf(lines, (row, line) -> line.message().write(row, line.delay())));
  }

  @Override
  public void read(ResultSet rows) {
    commands.forEach(command -> command.succeed(true));
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    long now = clock.millis();
    for (Line line : lines) {
      NewMessage message = line.message();
      message.announce(turns, Math.max(now + line.delay(), message.fireAt()), now);
    }
  }
}
