package io.duroxide.provider.postgres;

import io.duroxide.provider.WaitingRoom;
import io.duroxide.provider.WorkFetch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fetch of activities that may have to wait. */
record WorkWait(Lanes lanes, WaitingRoom room, WorkFetch request, int max)
    implements WaitingRoom.Search<RawWork> {

  @Override
  public Object interest() {
    List<@Nullable Object> interest = new ArrayList<>();
    interest.add(request.session());
    interest.add(request.tags());
    interest.add(request.activityNames());
    return interest;
  }

  @Override
  public WaitingRoom.Sight<RawWork> look() {
    long generation = room.generation();
    Look<RawWork> look = lanes.look(() -> new FetchWork(request, max));
    return new WaitingRoom.Sight<>(
        look.found(), generation, look.next(), request.pollTimeout().isPositive() && look.all());
  }
}
