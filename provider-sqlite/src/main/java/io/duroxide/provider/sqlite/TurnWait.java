package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.WaitingRoom;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A fetch of instances that may have to wait. While it does, somebody else's transaction may make
 * it. Thread-safe.
 */
final class TurnWait implements WaitingRoom.Search<RawTurn> {
  private final Writer writer;
  private final WaitingRoom room;
  private final OrchestrationFetch request;
  private final int max;
  private final AtomicLong dropped;
  private final AtomicReference<WaitingRoom.@Nullable Sight<RawTurn>> made =
      new AtomicReference<>();

  /**
   * A fetch.
   *
   * @param dropped counts the messages that reached nobody
   */
  TurnWait(
      Writer writer, WaitingRoom room, OrchestrationFetch request, int max, AtomicLong dropped) {
    this.writer = writer;
    this.room = room;
    this.request = request;
    this.max = max;
    this.dropped = dropped;
  }

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public WaitingRoom.Sight<RawTurn> look() {
    WaitingRoom.Sight<RawTurn> ready = made.getAndSet(null);
    return ready != null ? ready : noted(writer.lease("fetchOrchestrationItem", this::lookIn));
  }

  /** What a look has seen, once it is committed. */
  private WaitingRoom.Sight<RawTurn> noted(Draft draft) {
    dropped.addAndGet(draft.dropped());
    return draft.sight();
  }

  /** A look that may still be undone. */
  record Draft(WaitingRoom.Sight<RawTurn> sight, int dropped) {}

  /** Looks as a part of the running transaction. */
  Draft lookIn(Tables tables) throws SQLException {
    TurnFetch fetch = new TurnFetch(request, max);
    long generation = room.generation();
    List<RawTurn> found = fetch.run(tables);
    boolean all = request.pollTimeout().isPositive() && found.size() < max;
    long next = all ? tables.instances().nextChange() : StoreTime.NEVER;
    return new Draft(new WaitingRoom.Sight<>(found, generation, next, all), fetch.dropped());
  }

  /**
   * The next look is this one.
   *
   * @param generation the room's, after it was told of what this look has seen
   */
  void made(Draft draft, long generation) {
    WaitingRoom.Sight<RawTurn> sight = noted(draft);
    made.set(new WaitingRoom.Sight<>(sight.found(), generation, sight.nextChange(), sight.all()));
  }
}
