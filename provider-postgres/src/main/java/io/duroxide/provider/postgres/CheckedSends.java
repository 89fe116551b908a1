package io.duroxide.provider.postgres;

import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What clients send, if the instance can take it. Each goes to the server by itself and not with
 * others of its kind, because it waits for others who change the same instance. Thread-safe.
 */
final class CheckedSends {
  private static final String OPERATION = "send";
  private static final int REMOVED_TOGETHER = 32;

  private final Store store;
  private final Rooms rooms;
  private final Tokens tokens;
  private final Queue<String> answered = new ConcurrentLinkedQueue<>();

  CheckedSends(Store store, Rooms rooms, Tokens tokens) {
    this.store = store;
    this.rooms = rooms;
    this.tokens = tokens;
  }

  private static final String SEND =
      """
      SELECT @.send_checked(?, ?, ?::uuid[], ?, ?::integer, ?, ?, ?::jsonb, ?::jsonb)
      """;

  /** What is sent, in its stored form. */
  private record Letter(
      Sending sending, @Nullable NewMessage start, List<NewMessage> messages, long delay) {
    static Letter of(Sending sending) {
      Sending.Opening opening = sending.opening();
      return new Letter(
          sending,
          opening == null ? null : NewMessage.of(OPERATION, opening.start()),
          sending.messages().stream().map(item -> NewMessage.of(OPERATION, item)).toList(),
          opening == null ? 0 : Millis.of(opening.delay()));
    }

    @Nullable Integer rule() {
      Sending.Opening opening = sending.opening();
      return opening == null
          ? null
          : switch (opening.rule()) {
            case JOIN -> 0;
            case NEW -> 1;
            case RESTART -> 2;
          };
    }

    @Nullable String startRow() {
      return start == null ? null : RowText.of(start, (row, message) -> message.write(row, 0L));
    }

    String messageRows() {
      return RowText.listOf(messages, (row, message) -> message.write(row, 0L));
    }
  }

  /** Sends it, and says what became of it. A broken connection is tried again. */
  SendAnswer send(Sending sending) {
    Letter letter = Letter.of(sending);
    UUID receipt = tokens.secret();
    List<String> settled = settled();
    SendAnswer answer;
    try {
      answer = store.read(OPERATION, sql -> send(sql, letter, receipt, settled));
    } catch (RuntimeException | Error unanswered) {
      answered.addAll(settled);
      throw unanswered;
    }
    if (answer == SendAnswer.ACCEPTED) {
      answered.add(receipt.toString());
      announce(letter);
    }
    return answer;
  }

  private SendAnswer send(Sql sql, Letter letter, UUID receipt, List<String> settled)
      throws SQLException {
    Integer answer =
        sql.first(
            SEND,
            row -> row.getInt(1),
            store.clock().given(),
            receipt,
            settled,
            letter.sending().instance(),
            letter.rule(),
            letter.sending().orphans() == OrphanQueuePolicy.HOLD,
            letter.delay(),
            letter.startRow(),
            letter.messageRows());
    return switch (answer == null ? -1 : answer) {
      case 0 -> SendAnswer.ACCEPTED;
      case 1 -> SendAnswer.ENDED;
      case 2 -> SendAnswer.UNKNOWN;
      case 3 -> SendAnswer.EXISTS;
      default -> throw new IllegalStateException("no answer of a send is " + answer);
    };
  }

  private void announce(Letter letter) {
    long now = store.clock().millis();
    Wakes turns = new Wakes();
    if (letter.start() != null) {
      letter.start().announce(turns, now + letter.delay(), now);
    }
    letter.messages().forEach(message -> message.announce(turns, now, now));
    rooms.tell(turns, new Wakes(), rooms.turns().generation());
  }

  private List<String> settled() {
    List<String> settled = new ArrayList<>();
    while (settled.size() < REMOVED_TOGETHER) {
      String next = answered.poll();
      if (next == null) {
        return settled;
      }
      settled.add(next);
    }
    return settled;
  }
}
