package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Activities of one instance, each asked for by the turn that the one before caused.
 *
 * @param lock how long an activity is locked
 */
record Chain(PostgresProvider store, String instance, Duration lock) {
  private static final String VERSION = "1.0.0";

  /**
   * An activity that runs.
   *
   * @param commit the commit that asked for it
   * @param last the last event of that commit
   */
  record Link(LockedWork work, String commit, long last) {}

  WorkItem.ActivityExecute activity(long id, ActivityRouting routing) {
    return new WorkItem.ActivityExecute(
        new ActivityKey(instance, 1, id),
        "Charge " + id,
        "{}",
        routing,
        new ActivityOrigin("Order", VERSION, Instant.EPOCH));
  }

  private Event scheduled(WorkItem.ActivityExecute activity) {
    ActivityRouting routing = activity.routing();
    return FirstTurn.event(
        instance,
        activity.key().activityId(),
        new EventKind.ActivityScheduled(
            activity.name(), activity.input(), routing.sessionId(), routing.tag()));
  }

  private static Link link(CommittedTurn committed, long last) {
    return new Link(committed.claimed().getFirst(), committed.commitToken(), last);
  }

  Link begin() {
    WorkItem.ActivityExecute activity = activity(2, ActivityRouting.ANYWHERE);
    TurnCommit turn =
        TurnCommit.events(
                1,
                List.of(FirstTurn.started(instance), scheduled(activity)),
                ExecutionMetadata.started("Order", VERSION))
            .withWorkerItems(List.of(activity));
    WorkItem.StartOrchestration start =
        new WorkItem.StartOrchestration(instance, "Order", "{}", VERSION, null);
    WorkClaim claim = new WorkClaim(lock, Set.of(2L));
    return link(store.commitTurn(new TurnSource.NewInstance(start), turn, claim).orElseThrow(), 2);
  }

  /** The outcome of an activity, and others; the first of them is run here. */
  Link next(Link link, WorkItem.ActivityExecute... activities) {
    List<Event> events = new ArrayList<>();
    events.add(FirstTurn.event(instance, link.last() + 1, new EventKind.ActivityCompleted("1")));
    for (WorkItem.ActivityExecute activity : activities) {
      events.add(scheduled(activity));
    }
    TurnCommit turn =
        TurnCommit.events(1, events, ExecutionMetadata.NONE).withWorkerItems(List.of(activities));
    TurnSource step =
        new TurnSource.AfterActivity(
            link.work().lockToken(),
            new ExecutionKey(instance, 1),
            new CachedHistory.Tip(link.last(), link.commit()));
    WorkClaim claim = new WorkClaim(lock, Set.of(activities[0].key().activityId()));
    return link(store.commitTurn(step, turn, claim).orElseThrow(), events.getLast().id());
  }

  Link next(Link link) {
    return next(link, activity(link.last() + 2, ActivityRouting.ANYWHERE));
  }

  Link chain(int steps) {
    Link link = begin();
    for (int i = 0; i < steps; i++) {
      link = next(link);
    }
    return link;
  }
}
