package io.duroxide.provider.memory;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceSnapshot.WorkRow;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TextChecks;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Activities and their locks.
 *
 * <p>An activity stands either in the lane of those that the same workers may run, oldest first, or
 * among the sleeping, by the instant at which it turns visible or its lock ends. Guarded by the
 * gate.
 */
final class WorkerQueue {
  private final StoreClock clock;
  private final Supplier<String> tokens;
  private final WaitingRoom room;
  private final Map<String, Map<ActivityKey, Set<Task>>> byInstance = new HashMap<>();
  private final Map<String, Task> holders = new HashMap<>();
  private final Map<Lane, NavigableMap<Long, Task>> ready = new HashMap<>();
  private final NavigableMap<Place, Task> sleeping = new TreeMap<>();
  private final Positions positions = new Positions();

  WorkerQueue(StoreClock clock, Supplier<String> tokens, WaitingRoom room) {
    this.clock = clock;
    this.tokens = tokens;
    this.room = room;
  }

  /** The item as an activity; anything else is refused. */
  static WorkItem.ActivityExecute check(String operation, WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute activity) {
      TextChecks.check(operation, item);
      return activity;
    }
    throw Refusal.invalid(
        operation, item.instance() + ": only activities belong into the worker queue, got " + item);
  }

  /** Whether an instance has activities here. */
  boolean hasAny(String instance) {
    return byInstance.containsKey(instance);
  }

  void enqueue(WorkItem.ActivityExecute item) {
    place(add(item));
  }

  /** Queues an activity that is locked from the beginning. */
  LockedWork enqueueLocked(WorkItem.ActivityExecute item, Duration lockTimeout) {
    Task task = add(item);
    String token = take(task, lockTimeout);
    return new LockedWork(task.key(), item, null, token, task.attempts());
  }

  private Task add(WorkItem.ActivityExecute item) {
    return add(new Task(item, positions.next(), clock.now()));
  }

  /** Queues an activity of another store, at its place there if that is free. */
  void restore(WorkItem.ActivityExecute item, WorkRow row) {
    Instant visibleAt = row.visibleAt();
    long seq = positions.take(row.position());
    Task task = add(new Task(item, seq, visibleAt == null ? clock.now() : visibleAt));
    task.attempts(row.attempts());
    if (visibleAt == null) {
      place(task);
    } else {
      sleep(task);
    }
  }

  /** Whether it waits for its time, or has not been looked at since. */
  boolean isDelayed(Task task) {
    return task.token() == null && sleeping.containsKey(task.place());
  }

  private Task add(Task task) {
    WorkItem.ActivityExecute item = task.item();
    byInstance
        .computeIfAbsent(item.instance(), any -> new HashMap<>())
        .computeIfAbsent(item.key(), any -> new LinkedHashSet<>())
        .add(task);
    return task;
  }

  /** Activities that are visible and not locked, by lane, oldest first. */
  Map<Lane, NavigableMap<Long, Task>> ready() {
    NavigableMap<Place, Task> due = sleeping.headMap(Place.endOf(clock.now()), true);
    List<Task> woken = List.copyOf(due.values());
    due.clear();
    woken.forEach(this::join);
    return ready;
  }

  /** The lanes of activities that the last look found ready. */
  Set<Lane> lanes() {
    return ready.keySet();
  }

  /** When the next sleeping activity turns ready. */
  Instant nextChange() {
    return sleeping.isEmpty() ? Instant.MAX : sleeping.firstKey().at();
  }

  /** Locks an activity and counts the attempt; returns the token. */
  String take(Task task, Duration lockTimeout) {
    leaveLine(task);
    forget(task);
    String token = tokens.get();
    task.lock(token, StoreClock.after(clock.now(), lockTimeout));
    holders.put(token, task);
    place(task);
    return token;
  }

  /** The activity that {@code token} locks, valid or expired. */
  Task holder(String operation, String token) {
    Task task = holders.get(token);
    if (task == null) {
      throw Refusal.lockLost(operation, token);
    }
    return task;
  }

  /** As {@link #holder}, but the lock must be valid. */
  Task validHolder(String operation, String token) {
    Task task = holder(operation, token);
    if (task.isFree(clock.now())) {
      throw Refusal.lockLost(operation, token, task.key().toString());
    }
    return task;
  }

  Task renew(String token, Duration extendFor) {
    String operation = "renewWorkItemLock";
    Refusal.checkLease(operation, extendFor);
    Task task = validHolder(operation, token);
    leaveLine(task);
    task.renew(StoreClock.after(clock.now(), extendFor));
    place(task);
    return task;
  }

  void abandon(String token, Duration delay, boolean ignoreAttempt) {
    Task task = holder("abandonWorkItem", token);
    leaveLine(task);
    forget(task);
    task.release(StoreClock.after(clock.now(), delay), ignoreAttempt);
    place(task);
  }

  void remove(Task task) {
    leaveLine(task);
    forget(task);
    Map<ActivityKey, Set<Task>> tasks = byInstance.get(task.key().instance());
    Set<Task> same = tasks == null ? null : tasks.get(task.key());
    if (tasks == null || same == null) {
      return;
    }
    if (same.remove(task)) {
      positions.free(task.seq());
    }
    if (same.isEmpty()) {
      tasks.remove(task.key());
    }
    if (tasks.isEmpty()) {
      byInstance.remove(task.key().instance());
    }
  }

  /** Removes an activity whether or not someone runs it: whoever does has lost its lock. */
  void cancel(ActivityKey key) {
    Map<ActivityKey, Set<Task>> tasks = byInstance.getOrDefault(key.instance(), Map.of());
    List.copyOf(tasks.getOrDefault(key, Set.of())).forEach(this::remove);
  }

  /** As {@link #cancel}, for all activities of an execution. */
  void cancelAll(ExecutionKey execution) {
    tasks(execution.instance()).stream()
        .filter(task -> task.key().executionId() == execution.executionId())
        .forEach(this::remove);
  }

  /** Removes everything queued for an instance; returns how many activities. */
  int clear(String instance) {
    List<Task> tasks = tasks(instance);
    tasks.forEach(this::remove);
    return tasks.size();
  }

  /** The activities of an instance, in no order. */
  List<Task> tasks(String instance) {
    return byInstance.getOrDefault(instance, Map.of()).values().stream()
        .flatMap(Collection::stream)
        .toList();
  }

  /** The instances that have activities. */
  Set<String> instances() {
    return byInstance.keySet();
  }

  /** Every activity, in no order. */
  List<Task> tasks() {
    return byInstance.values().stream()
        .flatMap(tasks -> tasks.values().stream())
        .flatMap(Collection::stream)
        .toList();
  }

  /** The sessions that queued activities are bound to. */
  Set<String> sessionIds() {
    Set<String> ids = new HashSet<>();
    for (Task task : tasks()) {
      if (task.lane().session() != null) {
        ids.add(task.lane().session());
      }
    }
    return ids;
  }

  /** The clock went back; what is locked or delayed stays so for as long as before. */
  void shift(StoreClock.Step step) {
    List<Task> asleep = List.copyOf(sleeping.values());
    sleeping.clear();
    tasks().forEach(task -> task.shift(step));
    asleep.forEach(task -> sleeping.put(task.place(), task));
    room.wake();
  }

  private void place(Task task) {
    if (task.isFree(clock.now())) {
      join(task);
      room.wake();
      return;
    }
    sleep(task);
  }

  private void sleep(Task task) {
    sleeping.put(task.place(), task);
    room.expect(task.place().at());
  }

  private void join(Task task) {
    ready.computeIfAbsent(task.lane(), any -> new TreeMap<>()).put(task.seq(), task);
  }

  private void leaveLine(Task task) {
    sleeping.remove(task.place());
    NavigableMap<Long, Task> lane = ready.get(task.lane());
    if (lane != null) {
      lane.remove(task.seq());
      if (lane.isEmpty()) {
        ready.remove(task.lane());
      }
    }
  }

  private void forget(Task task) {
    if (task.token() != null) {
      holders.remove(task.token());
    }
  }
}
