package io.duroxide.provider.postgres;

import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.WaitingRoom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A fetch of instances that may have to wait. While it does, a lane may make it with a group that
 * makes something ready. Thread-safe.
 */
final class TurnWait implements WaitingRoom.Search<RawTurn> {
  private final Lanes lanes;
  private final WaitingRoom room;
  private final OrchestrationFetch request;
  private final int max;
  private final AtomicReference<@Nullable Made> made = new AtomicReference<>();

  /**
   * A fetch that somebody else made for this one.
   *
   * @param generation the room's
   */
  private record Made(FetchTurns fetch, long generation) {}

  TurnWait(Lanes lanes, WaitingRoom room, OrchestrationFetch request, int max) {
    this.lanes = lanes;
    this.room = room;
    this.request = request;
    this.max = max;
  }

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public WaitingRoom.Sight<RawTurn> look() {
    Made ready = made.getAndSet(null);
    if (ready != null) {
      Look<RawTurn> look = lanes.answerOf(ready.fetch());
      if (!look.isDoubtful()) {
        return sight(look, ready.generation());
      }
    }
    long generation = room.generation();
    return sight(lanes.look(this::fetch), generation);
  }

  private WaitingRoom.Sight<RawTurn> sight(Look<RawTurn> look, long generation) {
    boolean all = request.pollTimeout().isPositive() && look.all();
    return new WaitingRoom.Sight<>(look.found(), generation, look.next(), all);
  }

  /** Whether it would take an instance that begins with this. */
  boolean admits(NewMessage start) {
    DispatcherCapabilityFilter filter = request.filter();
    String name = start.name();
    return filter == null || (name != null && filter.admitsHandler(name, start.version()));
  }

  FetchTurns fetch() {
    return new FetchTurns(request, max);
  }

  /** The next look is this one, which has its answer. */
  void made(FetchTurns fetch, long generation) {
    made.set(new Made(fetch, generation));
  }
}
