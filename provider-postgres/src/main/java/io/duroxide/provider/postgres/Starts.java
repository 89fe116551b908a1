package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Starts that a guest takes as they come: a new instance is locked for it from the beginning. It
 * has waited for them, so there is nothing else that it would have to take first.
 */
final class Starts implements Batch {
  private final Node node;
  private final Guest guest;
  private final Receipts.Receipt receipt;
  private final List<Start> starts;
  private final long lock;
  private int left;

  /** A start and the secret of its lock. */
  private record Start(Send command, NewMessage message, UUID secret) {}

  Starts(Node node, Guest guest, List<Send> commands, Receipts.Receipt receipt) {
    this.node = node;
    this.guest = guest;
    this.receipt = receipt;
    this.lock = guest.fetch().shape().lock();
    this.starts =
        commands.stream()
            .map(send -> new Start(send, send.messages().getFirst(), node.tokens().secret()))
            .sorted(Comparator.comparing(start -> start.message().instance()))
            .toList();
  }

  private static final String START =
      """
      SELECT * FROM @.start_taken(?, ?, ?, ?::jsonb, ?)
      """;

  @Override
  public String statement() {
    return START;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(node.clock().given());
    to.uuid(receipt.id());
    to.uuids(receipt.settled(), id -> id);
    to.rows(RowText.listOf(starts, Starts::write));
    to.number(lock);
  }

  private static void write(RowText row, Start start) {
    row.text("instance", start.message().instance())
        .text("name", start.message().name())
        .text("version", start.message().version())
        .text("payload", start.message().payload())
        .uuid("token", start.secret());
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    List<RawTurn> taken = new ArrayList<>();
    long now = 0;
    for (Start start : starts) {
      rows.next();
      now = rows.getLong(1);
      long key = rows.getLong(2);
      if (!rows.wasNull()) {
        taken.add(turn(start, key, rows.getLong(3)));
      }
      start.command().succeed(true);
    }
    node.clock().heard(now);
    left = starts.size() - taken.size();
    long next = Math.min(guest.nextChange(), now + lock);
    guest.fetch().succeed(new Look<>(taken, false, now, next, left == 0));
  }

  private static RawTurn turn(Start start, long key, long seq) {
    NewMessage message = start.message();
    String id = message.instance();
    return new RawTurn(
        new Tokens.Turn(key, start.secret(), id),
        new ExecutionKey(id, ExecutionKey.FIRST),
        0,
        null,
        List.of(
            new RawTurn.Message(
                seq, message.kind(), 0, 0, message.payload(), message.name(), message.version())),
        RawTurn.Past.NONE);
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    if (left > 0) {
      turns.ready(left);
    }
    if (left < starts.size()) {
      turns.later(node.clock().millis() + lock);
    }
  }
}
