package io.duroxide.provider.sqlite;

import io.duroxide.provider.WaitingRoom;
import io.duroxide.provider.WorkFetch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fetch of activities that may have to wait. */
record WorkWait(Writer writer, WaitingRoom room, WorkFetch request, int max)
    implements WaitingRoom.Search<WorkSearch.RawWork> {

  @Override
  public Object interest() {
    List<@Nullable Object> interest = new ArrayList<>();
    interest.add(request.session());
    interest.add(request.tags());
    interest.add(request.activityNames());
    return interest;
  }

  @Override
  public WaitingRoom.Sight<WorkSearch.RawWork> look() {
    WorkSearch search = new WorkSearch(request, max);
    boolean waits = request.pollTimeout().isPositive();
    return writer.lease(
        "fetchWorkItem",
        tables -> {
          long generation = room.generation();
          WorkSearch.Result result = search.run(tables);
          boolean asks = waits && (result.all() || result.work().isEmpty());
          long next = asks ? tables.workers().queue().nextChange() : StoreTime.NEVER;
          return new WaitingRoom.Sight<>(
              result.work(),
              generation,
              Math.min(next, result.nextLeaseEnd()),
              waits && result.all());
        });
  }
}
