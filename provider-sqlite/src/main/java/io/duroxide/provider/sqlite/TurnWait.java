package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationFetch;
import java.util.List;
import java.util.Optional;

/** A fetch of instances that may have to wait. */
record TurnWait(Writer writer, WaitingRoom room, OrchestrationFetch request, int max)
    implements WaitingRoom.Search<RawTurn> {

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public WaitingRoom.Look<RawTurn> look() {
    TurnFetch fetch = new TurnFetch(request, max);
    boolean waits = request.pollTimeout().isPositive();
    return writer.lease(
        "fetchOrchestrationItem",
        tables -> {
          long generation = room.generation();
          List<RawTurn> found = fetch.run(tables);
          boolean asks = waits && found.isEmpty();
          long next = asks ? tables.instances().nextChange() : StoreTime.NEVER;
          return new WaitingRoom.Look<>(found, generation, next);
        });
  }
}
