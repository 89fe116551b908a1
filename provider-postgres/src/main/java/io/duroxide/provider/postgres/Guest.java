package io.duroxide.provider.postgres;

import io.duroxide.provider.WaitingRoom;
import java.util.List;
import java.util.Optional;

/**
 * A waiting fetch that runs with a group which makes something ready: it need not be woken for a
 * round trip of its own. Confined to a lane.
 */
final class Guest {
  private final WaitingRoom.Call call;
  private final TurnWait wait;
  private final FetchTurns fetch;

  private Guest(WaitingRoom.Call call, TurnWait wait) {
    this.call = call;
    this.wait = wait;
    this.fetch = wait.fetch();
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

  /** What the group has to run. */
  FetchTurns fetch() {
    return fetch;
  }

  /** When something may turn ready by itself, as far as it knew before it waited. */
  long nextChange() {
    return call.nextChange();
  }

  /**
   * Those of {@code sends} that begin something which it can take; none if it has to look for other
   * things first.
   *
   * @param generation the room's now
   */
  List<Send> startsAmong(List<Send> sends, long generation) {
    if (call.generation() != generation) {
      return List.of();
    }
    return sends.stream()
        .filter(send -> send.isPlainStart() && wait.admits(send.messages().getFirst()))
        .limit(fetch.max())
        .toList();
  }

  /**
   * Lets it go with what it has found.
   *
   * @param generation the room's, after it was told of what the group has made ready
   */
  void send(long generation) {
    try {
      wait.made(fetch, generation);
    } finally {
      call.send();
    }
  }
}
