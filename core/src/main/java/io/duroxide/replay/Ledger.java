package io.duroxide.replay;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the recorded events say by themselves, without running the code: which schedules are open,
 * which have an outcome or a decision, and whether the execution ended. Its size follows what is
 * open, not how long the history is.
 */
final class Ledger {
  private static final int FEW = 16;

  private final ExecutionKey execution;
  private final TreeMap<Long, Open> open = new TreeMap<>();
  private final Map<Long, String> dequeues = new HashMap<>(0);
  private final IdSet closed = new IdSet();
  private final IdSet decided = new IdSet();
  private final Map<String, Subscriptions> queues = new HashMap<>(0);
  private final Map<String, Subscriptions> waits = new HashMap<>(0);
  private long lastId;
  private Instant lastAt = Instant.MIN;
  private boolean terminal;
  private boolean empty = true;
  private EventKind.@Nullable OrchestrationStarted started;
  private @Nullable String cancelReason;

  /**
   * An activity, timer or child without outcome.
   *
   * @param detail name, or the child's recorded id
   */
  private record Open(ScheduleKind kind, String detail) {}

  /** Open subscriptions of one name that no arrival answered, and arrivals nobody asked for. */
  private static final class Subscriptions {
    final ArrayDeque<Long> unanswered = new ArrayDeque<>(1);
    int spareArrivals;

    void subscribe(long id) {
      if (spareArrivals > 0) {
        spareArrivals--;
      } else {
        unanswered.add(id);
      }
    }

    void arrive() {
      if (unanswered.poll() == null) {
        spareArrivals++;
      }
    }
  }

  Ledger(ExecutionKey execution) {
    this.execution = execution;
  }

  /** Takes in recorded events; a decision counts from the start, wherever it stands. */
  void absorb(List<Event> events) {
    for (Event event : events) {
      Long source = event.source();
      if (event.kind() instanceof EventKind.Decision && source != null && decided.add(source)) {
        withdraw(source);
      }
    }
    events.forEach(this::add);
  }

  /** Takes in one event that is no decision. */
  void add(Event event) {
    lastId = Math.max(lastId, event.id());
    lastAt = event.stamp().at().isAfter(lastAt) ? event.stamp().at() : lastAt;
    if (empty && event.kind() instanceof EventKind.OrchestrationStarted first) {
      started = first;
    }
    empty = false;
    switch (event.kind()) {
      case EventKind.Schedule schedule -> schedule(event.id(), schedule);
      case EventKind.Completion ignored -> close(event.source());
      case EventKind.Arrival arrival -> arrive(arrival);
      case EventKind.OrchestrationCancelRequested request -> {
        if (cancelReason == null) {
          cancelReason = request.reason();
        }
      }
      case EventKind.Terminal ignored -> terminal = true;
      case EventKind.OrchestrationStarted ignored -> {}
      case EventKind.Passive ignored -> {}
      case EventKind.Decision ignored -> {}
    }
  }

  private void schedule(long id, EventKind.Schedule schedule) {
    Open entry = new Open(ScheduleKind.of(schedule), detail(schedule));
    boolean wanted = !decided.contains(id);
    switch (entry.kind) {
      case ACTIVITY, TIMER, CHILD, PRUNE -> open.put(id, entry);
      case WAIT -> {
        if (wanted) {
          subscriptions(waits, entry.detail).unanswered.add(id);
        }
      }
      case DEQUEUE -> {
        if (wanted) {
          dequeues.put(id, entry.detail);
          subscriptions(queues, entry.detail).subscribe(id);
        }
      }
    }
  }

  private static String detail(EventKind.Schedule schedule) {
    return switch (schedule) {
      case EventKind.SubOrchestrationScheduled child -> child.instance();
      case EventKind.ExternalSubscribed wait -> wait.name();
      case EventKind.QueueSubscribed dequeue -> dequeue.name();
      case EventKind.ActivityScheduled activity -> activity.name();
      case EventKind.TimerCreated ignored -> "";
      case EventKind.HistoryPruneRequested ignored -> "";
    };
  }

  private static Subscriptions subscriptions(Map<String, Subscriptions> byName, String name) {
    return byName.computeIfAbsent(name, key -> new Subscriptions());
  }

  private void close(@Nullable Long source) {
    if (source != null) {
      closed.add(source);
      open.remove(source);
    }
  }

  private void arrive(EventKind.Arrival arrival) {
    switch (arrival) {
      case EventKind.ExternalEvent event -> subscriptions(waits, event.name()).unanswered.poll();
      case EventKind.QueueEventDelivered message -> subscriptions(queues, message.name()).arrive();
    }
  }

  /** A subscription was given up; a message that had been set aside for it is free again. */
  private void withdraw(long id) {
    String queue = dequeues.remove(id);
    if (queue != null) {
      Subscriptions subscriptions = subscriptions(queues, queue);
      if (!subscriptions.unanswered.remove(id)) {
        subscriptions.arrive();
      }
      return;
    }
    waits.values().forEach(subscriptions -> subscriptions.unanswered.remove(id));
  }

  /** The code consumed a message through this dequeue, which can no longer be given up. */
  void observed(long dequeueId) {
    dequeues.remove(dequeueId);
  }

  /** The latest time of an event; the beginning of time if there is none. */
  Instant lastAt() {
    return lastAt;
  }

  long lastId() {
    return lastId;
  }

  boolean isEmpty() {
    return empty;
  }

  boolean terminal() {
    return terminal;
  }

  /** The first event, if it is what a first event must be. */
  EventKind.@Nullable OrchestrationStarted started() {
    return started;
  }

  @Nullable ParentLink parent() {
    return started == null ? null : started.parent();
  }

  @Nullable String cancelReason() {
    return cancelReason;
  }

  boolean hasOutcome(long scheduleId) {
    return closed.contains(scheduleId);
  }

  boolean isDecided(long scheduleId) {
    return decided.contains(scheduleId);
  }

  /** The kind of an open activity, timer or child; null if there is none with this id. */
  @Nullable ScheduleKind kindOf(long scheduleId) {
    Open entry = open.get(scheduleId);
    return entry == null ? null : entry.kind;
  }

  /** Whether this activity is open and no other activity or child is; looks at a few alone. */
  boolean waitsFor(long activityId) {
    if (kindOf(activityId) != ScheduleKind.ACTIVITY || open.size() > FEW) {
      return false;
    }
    return open.entrySet().stream()
        .noneMatch(entry ->
            entry.getKey() != activityId
                && entry.getValue().kind != ScheduleKind.TIMER
                && !isDecided(entry.getKey()));
  }

  /** What would be left open if the execution ended here. */
  Outstanding outstanding() {
    List<Long> activities = new ArrayList<>();
    List<ChildRef> children = new ArrayList<>();
    open.forEach((id, entry) -> {
      if (isDecided(id)) {
        return;
      }
      if (entry.kind == ScheduleKind.ACTIVITY) {
        activities.add(id);
      } else if (entry.kind == ScheduleKind.CHILD) {
        children.add(new ChildRef(id, ChildIds.full(execution, entry.detail)));
      }
    });
    return new Outstanding(activities, children, unanswered(waits), unanswered(queues));
  }

  private static List<Long> unanswered(Map<String, Subscriptions> byName) {
    return byName.values().stream().flatMap(s -> s.unanswered.stream()).sorted().toList();
  }
}
