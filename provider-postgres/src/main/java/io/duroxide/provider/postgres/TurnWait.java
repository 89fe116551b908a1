package io.duroxide.provider.postgres;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.WaitingRoom;
import java.util.Optional;

/** A fetch of instances that may have to wait. */
record TurnWait(Lanes lanes, WaitingRoom room, OrchestrationFetch request, int max)
    implements WaitingRoom.Search<RawTurn> {

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public WaitingRoom.Sight<RawTurn> look() {
    long generation = room.generation();
    Look<RawTurn> look = lanes.look(() -> new FetchTurns(request, max));
    return new WaitingRoom.Sight<>(
        look.found(), generation, look.next(), request.pollTimeout().isPositive() && look.all());
  }
}
