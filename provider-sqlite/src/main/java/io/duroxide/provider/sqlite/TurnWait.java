package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.WaitingRoom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fetch of instances that may have to wait.
 *
 * @param dropped counts the messages that reached nobody
 */
record TurnWait(
    Writer writer, WaitingRoom room, OrchestrationFetch request, int max, AtomicLong dropped)
    implements WaitingRoom.Search<RawTurn> {

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public WaitingRoom.Sight<RawTurn> look() {
    TurnFetch fetch = new TurnFetch(request, max);
    boolean waits = request.pollTimeout().isPositive();
    WaitingRoom.Sight<RawTurn> look =
        writer.lease(
            "fetchOrchestrationItem",
            tables -> {
              long generation = room.generation();
              List<RawTurn> found = fetch.run(tables);
              boolean all = waits && found.size() < max;
              long next = all ? tables.instances().nextChange() : StoreTime.NEVER;
              return new WaitingRoom.Sight<>(found, generation, next, all);
            });
    dropped.addAndGet(fetch.dropped());
    return look;
  }
}
