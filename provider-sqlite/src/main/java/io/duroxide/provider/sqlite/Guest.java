package io.duroxide.provider.sqlite;

import io.duroxide.provider.WaitingRoom;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A waiting fetch that takes part in a transaction which makes something ready: it need not be
 * woken for a transaction of its own. Confined to the writer.
 */
final class Guest {
  private final WaitingRoom.Call call;
  private final TurnWait wait;
  private TurnWait.@Nullable Draft draft;

  private Guest(WaitingRoom.Call call, TurnWait wait) {
    this.call = call;
    this.wait = wait;
  }

  /** Somebody who waits in {@code room}, if there is anybody. */
  static Optional<Guest> from(WaitingRoom room) {
    return room.call().map(Guest::called);
  }

  /** Whoever was called must be sent, come what may. */
  private static Guest called(WaitingRoom.Call call) {
    try {
      return new Guest(call, TurnWait.class.cast(call.search()));
    } catch (RuntimeException | Error failure) {
      call.send();
      throw failure;
    }
  }

  void lookIn(Tables tables) throws SQLException {
    tables.beginCommand();
    draft = wait.lookIn(tables);
  }

  /** The transaction was undone, so the guest looks for itself. */
  void undo() {
    draft = null;
  }

  /** The room's generation from before the look. */
  long generation() {
    return draft == null ? 0 : draft.sight().generation();
  }

  /**
   * Lets it go with what it has found.
   *
   * @param generation the room's, after it was told of what the transaction has made ready
   */
  void send(long generation) {
    try {
      if (draft != null) {
        wait.made(draft, generation);
      }
    } finally {
      call.send();
    }
  }
}
