package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.WorkFetch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One fetch of activities: which are next? Run by the writer. */
final class WorkSearch implements Command<WorkSearch.Result> {
  private final WorkFetch request;
  private final int max;

  WorkSearch(WorkFetch request, int max) {
    this.request = request;
    this.max = max;
  }

  /**
   * @param nextLeaseEnd when a lease ends that keeps ready work from this worker
   * @param all whether nothing that it may take was left behind
   */
  record Result(List<RawWork> work, long nextLeaseEnd, boolean all) {}

  /** A locked activity as it was read; the caller decodes it. */
  record RawWork(WorkerQueue.Ready row, String token) {

    LockedWork decoded() {
      int attempts = row.attempts() + 1;
      try {
        if (WorkItemCodec.decode(row.payload()) instanceof WorkItem.ActivityExecute activity) {
          return new LockedWork(row.key(), activity, null, token, attempts);
        }
        return new LockedWork(row.key(), null, "not an activity", token, attempts);
      } catch (DecodeException damage) {
        return new LockedWork(row.key(), null, damage.getMessage(), token, attempts);
      }
    }
  }

  @Override
  public Result run(Tables tables) throws SQLException {
    tables.workers().queue().promote();
    return new Sweep(tables).run();
  }

  /** An activity that this worker may run, if its session allows it. */
  private record Candidate(WorkerQueue.Ready row, @Nullable String session, boolean owned) {}

  /** One look at the heads of all lanes. */
  private final class Sweep {
    private final Workers workers;
    private final Tokens tokens;
    private final List<Candidate> candidates = new ArrayList<>();
    private final Set<String> claimed = new HashSet<>();
    private long nextLeaseEnd = StoreTime.NEVER;

    Sweep(Tables tables) {
      this.workers = tables.workers();
      this.tokens = tables.tokens();
    }

    Result run() throws SQLException {
      addLanes();
      if (request.session() != null) {
        addLanesOfSessions(request.session());
      }
      candidates.sort(Comparator.comparingLong(candidate -> candidate.row().ref().seq()));
      List<RawWork> taken = new ArrayList<>();
      for (Candidate candidate : candidates) {
        if (taken.size() == max) {
          break;
        }
        if (mayTake(candidate)) {
          taken.add(take(candidate));
        }
      }
      boolean all = taken.size() < max && taken.size() == candidates.size();
      return new Result(taken, nextLeaseEnd, all);
    }

    private void addLanes() throws SQLException {
      for (long key : workers.queue().readyLanes(false)) {
        if (workers.lanes().lane(key).passes(request)) {
          for (WorkerQueue.Ready row : workers.queue().heads(key, false, max)) {
            candidates.add(new Candidate(row, null, true));
          }
        }
      }
    }

    private void addLanesOfSessions(SessionFetchConfig config) throws SQLException {
      for (long key : workers.queue().readyLanes(true)) {
        Lane lane = workers.lanes().lane(key);
        String session = lane.session();
        if (session == null || !lane.passes(request)) {
          continue;
        }
        Sessions.Lease lease = workers.sessions().lease(session);
        boolean owned = lease != null && lease.owner().equals(config.ownerId());
        if (lease != null && !owned) {
          nextLeaseEnd = Math.min(nextLeaseEnd, lease.until());
          continue;
        }
        for (WorkerQueue.Ready row : workers.queue().heads(key, true, max)) {
          candidates.add(new Candidate(row, session, owned));
        }
      }
    }

    /** Sessions that are new to this worker count against what it asked for. */
    private boolean mayTake(Candidate candidate) {
      String session = candidate.session();
      SessionFetchConfig config = request.session();
      return session == null
          || config == null
          || candidate.owned()
          || claimed.contains(session)
          || claimed.size() < config.maxNewSessions();
    }

    private RawWork take(Candidate candidate) throws SQLException {
      String session = candidate.session();
      SessionFetchConfig config = request.session();
      if (session != null && config != null) {
        workers.sessions().claim(session, config);
        if (!candidate.owned()) {
          claimed.add(session);
        }
      }
      String token = tokens.forWork(candidate.row().ref());
      workers.queue().take(candidate.row().ref(), token, request.lockTimeout());
      return new RawWork(candidate.row(), token);
    }
  }
}
