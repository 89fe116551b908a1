package io.duroxide.provider.memory;

import io.duroxide.provider.LockedWork;
import io.duroxide.provider.WorkFetch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** One fetch of activities: which may this worker run? Guarded by the gate. */
final class WorkSearch implements WaitingRoom.Search<LockedWork> {
  private final WorkerQueue queue;
  private final Sessions sessions;
  private final WorkFetch request;
  private final int max;

  WorkSearch(WorkerQueue queue, Sessions sessions, WorkFetch request, int max) {
    this.queue = queue;
    this.sessions = sessions;
    this.request = request;
    this.max = max;
  }

  @Override
  public Object interest() {
    List<@Nullable Object> interest = new ArrayList<>();
    interest.add(request.session());
    interest.add(request.tags());
    interest.add(request.activityNames());
    return interest;
  }

  /** Takes the oldest eligible activities in queue order, claiming their sessions. */
  @Override
  public List<LockedWork> attempt() {
    List<LockedWork> taken = new ArrayList<>();
    Sessions.Claims claims = sessions.claims(request.session());
    while (taken.size() < max) {
      Task task = oldest(claims);
      if (task == null) {
        break;
      }
      claims.claim(task.lane().session());
      taken.add(take(task));
    }
    return taken;
  }

  private @Nullable Task oldest(Sessions.Claims claims) {
    Task oldest = null;
    for (NavigableMap<Long, Task> line : queue.ready().values()) {
      Task first = line.firstEntry().getValue();
      boolean older = oldest == null || first.seq() < oldest.seq();
      if (older && first.lane().passes(request) && claims.mayServe(first.lane().session())) {
        oldest = first;
      }
    }
    return oldest;
  }

  private LockedWork take(Task task) {
    String token = queue.take(task, request.lockTimeout());
    String damage = task.damage();
    return new LockedWork(
        task.key(), damage == null ? task.item() : null, damage, token, task.attempts());
  }

  /** Something sleeping turns ready, or a lease ends that keeps ready work from this worker. */
  @Override
  public Instant nextChange() {
    Instant next = queue.nextChange();
    if (request.session() == null) {
      return next;
    }
    for (Lane lane : queue.lanes()) {
      Instant leaseEnd = sessions.leaseEnd(lane.session());
      if (lane.passes(request) && leaseEnd.isBefore(next)) {
        next = leaseEnd;
      }
    }
    return next;
  }
}
