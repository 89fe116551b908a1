package io.duroxide.provider.postgres;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Starts of instances that must be new. Each is a transaction of its own, because it waits for
 * others who change the same instance. Thread-safe.
 */
final class NewStarts {
  private static final String OPERATION = "startNew";
  private static final int REMOVED_TOGETHER = 32;

  private final Store store;
  private final Rooms rooms;
  private final Tokens tokens;
  private final Queue<String> answered = new ConcurrentLinkedQueue<>();

  NewStarts(Store store, Rooms rooms, Tokens tokens) {
    this.store = store;
    this.rooms = rooms;
    this.tokens = tokens;
  }

  private static final String START =
      """
      SELECT @.start_new(?, ?, ?::uuid[], ?, ?, ?, ?, ?, ?)
      """;

  /** Queues the start; refused if the instance exists. A broken connection is tried again. */
  void add(WorkItem.StartOrchestration start, Duration delay) {
    NewMessage message = NewMessage.of(OPERATION, start);
    if (!isAccepted(message, Millis.of(delay))) {
      throw ProviderException.alreadyExists(OPERATION, start.instance());
    }
    long now = store.clock().millis();
    Wakes turns = new Wakes();
    message.announce(turns, now + Millis.of(delay), now);
    rooms.tell(turns, new Wakes(), rooms.turns().generation());
  }

  private boolean isAccepted(NewMessage message, long delay) {
    UUID receipt = tokens.secret();
    List<String> settled = settled();
    boolean accepted;
    try {
      accepted = store.read(OPERATION, sql -> isAccepted(sql, message, delay, receipt, settled));
    } catch (RuntimeException | Error unanswered) {
      answered.addAll(settled);
      throw unanswered;
    }
    if (accepted) {
      answered.add(receipt.toString());
    }
    return accepted;
  }

  private boolean isAccepted(
      Sql sql, NewMessage message, long delay, UUID receipt, List<String> settled)
      throws SQLException {
    Boolean accepted =
        sql.first(
            START,
            row -> row.getBoolean(1),
            store.clock().given(),
            receipt,
            settled,
            message.instance(),
            delay,
            message.parent(),
            message.name(),
            message.version(),
            message.payload());
    return Boolean.TRUE.equals(accepted);
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
