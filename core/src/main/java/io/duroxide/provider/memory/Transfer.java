package io.duroxide.provider.memory;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.EventPages;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import io.duroxide.provider.InstanceSnapshot.MessageRow;
import io.duroxide.provider.InstanceSnapshot.WorkRow;
import io.duroxide.provider.InstanceTransfer;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Takes instances out of this store and puts others in. Thread-safe. */
final class Transfer implements InstanceTransfer {
  private static final String READ = "readInstance";
  private static final String WRITE = "writeInstance";

  private final Gate gate;
  private final Tables tables;

  Transfer(Gate gate, Tables tables) {
    this.gate = gate;
    this.tables = tables;
  }

  @Override
  public List<String> listIds(@Nullable String after, int limit) {
    return gate.enter(
        "listIds",
        () -> {
          NavigableSet<String> ids = new TreeSet<>(tables.workerQueue().instances());
          tables.instances().all().forEach(instance -> ids.add(instance.id()));
          tables.orchestratorQueue().inboxes().forEach(inbox -> ids.add(inbox.instance()));
          return (after == null ? ids : ids.tailSet(after, false)).stream().limit(limit).toList();
        });
  }

  @Override
  public Optional<InstanceSnapshot> readInstance(String id) {
    return gate.enter(
        READ, () -> Optional.of(snapshot(id)).filter(snapshot -> !snapshot.isEmpty()));
  }

  private InstanceSnapshot snapshot(String id) {
    Instance instance = tables.instances().find(id).orElse(null);
    List<WorkRow> activities =
        tables.workerQueue().tasks(id).stream()
            .sorted(Comparator.comparingLong(Task::seq))
            .map(this::row)
            .toList();
    return instance == null
        ? new InstanceSnapshot(id, null, 0, List.of(), List.of(), inbox(id), activities)
        : new InstanceSnapshot(
            id,
            instance.head(),
            instance.committedExecutionId(),
            instance.executions().values().stream().map(Execution::row).toList(),
            instance.kv().rows(),
            inbox(id),
            activities);
  }

  private WorkRow row(Task task) {
    checkReadable(task.key().toString(), task.damage());
    boolean delayed = tables.workerQueue().isDelayed(task);
    return new WorkRow(
        task.seq(),
        delayed ? StoreClock.stored(task.place().at()) : null,
        task.attempts(),
        WorkItemCodec.encode(task.item()));
  }

  private InstanceSnapshot.Inbox inbox(String id) {
    Inbox inbox = tables.orchestratorQueue().find(id);
    MailboxRules mailboxes = tables.instances().mailboxes(id);
    if (inbox == null) {
      return new InstanceSnapshot.Inbox(null, mailboxes, List.of());
    }
    InstanceLock lock = inbox.lock();
    Instant rest = lock != null && lock.token() == null ? StoreClock.stored(lock.until()) : null;
    List<MessageRow> messages =
        inbox.messages().stream()
            .sorted(Comparator.comparingLong(Message::seq))
            .map(message -> row(id, message))
            .toList();
    return new InstanceSnapshot.Inbox(rest, mailboxes, messages);
  }

  private static MessageRow row(String id, Message message) {
    checkReadable(id + ": message " + message.seq(), message.damage());
    return new MessageRow(
        message.seq(),
        StoreClock.stored(message.place().at()),
        message.enqueuedAt(),
        message.attempts(),
        WorkItemCodec.encode(message.item()));
  }

  private static void checkReadable(String what, @Nullable String damage) {
    if (damage != null) {
      throw corrupt(READ, what + " cannot be decoded: " + damage, null);
    }
  }

  private static ProviderException corrupt(
      String operation, String message, @Nullable Throwable cause) {
    return new ProviderException(
        Kind.CORRUPT_DATA, operation, message + "; repair or delete the instance", cause);
  }

  @Override
  public List<EventRow> readEvents(ExecutionKey execution, long after, int limit) {
    String operation = "readEvents";
    return gate.enter(
        operation,
        () ->
            tables
                .instances()
                .execution(execution)
                .map(known -> known.read(operation, after, limit))
                .orElse(List.of())
                .stream()
                .map(event -> new EventRow(event.id(), EventCodec.encode(event)))
                .toList());
  }

  /** Everything is read and decoded before the store is entered. */
  @Override
  public boolean writeInstance(InstanceSnapshot snapshot, EventSource events) {
    List<Execution> executions =
        snapshot.executions().stream()
            .map(row -> execution(snapshot.key(row), row, events))
            .toList();
    List<WorkItem.ForOrchestrator> messages =
        snapshot.inbox().messages().stream()
            .map(row -> OrchestratorQueue.check(WRITE, item(snapshot.id(), row.item())))
            .toList();
    List<WorkItem.ActivityExecute> activities =
        snapshot.activities().stream()
            .map(row -> WorkerQueue.check(WRITE, item(snapshot.id(), row.item())))
            .toList();
    return gate.enter(
        WRITE,
        () -> {
          if (!snapshot(snapshot.id()).isEmpty()) {
            return false;
          }
          store(snapshot, executions);
          queue(snapshot, messages, activities);
          return true;
        });
  }

  private static Execution execution(ExecutionKey key, ExecutionRow row, EventSource source) {
    List<Event> history = new ArrayList<>();
    for (List<EventRow> page : new EventPages(key, row, source)) {
      page.forEach(event -> history.add(event(key, event)));
    }
    return Execution.restored(key, row, history);
  }

  private static Event event(ExecutionKey key, EventRow row) {
    try {
      return EventCodec.decode(row.data());
    } catch (DecodeException e) {
      throw corrupt(WRITE, key + ": event " + row.id() + ": " + e.getMessage(), e);
    }
  }

  private static WorkItem item(String instance, String stored) {
    try {
      WorkItem item = WorkItemCodec.decode(stored);
      if (item.instance().equals(instance)) {
        return item;
      }
      throw Refusal.invalid(WRITE, instance + " has an item of " + item.instance());
    } catch (DecodeException e) {
      throw corrupt(WRITE, instance + ": " + e.getMessage(), e);
    }
  }

  private void store(InstanceSnapshot snapshot, List<Execution> executions) {
    if (executions.isEmpty()) {
      return;
    }
    Instance instance = tables.instances().findOrNew(snapshot.id(), tables.now());
    instance.restore(snapshot);
    executions.forEach(
        execution -> instance.executions().put(execution.key().executionId(), execution));
    tables.instances().adopt(instance);
  }

  private void queue(
      InstanceSnapshot snapshot,
      List<WorkItem.ForOrchestrator> messages,
      List<WorkItem.ActivityExecute> activities) {
    for (int i = 0; i < messages.size(); i++) {
      tables.orchestratorQueue().restore(messages.get(i), snapshot.inbox().messages().get(i));
    }
    for (int i = 0; i < activities.size(); i++) {
      tables.workerQueue().restore(activities.get(i), snapshot.activities().get(i));
    }
    Instant rest = snapshot.inbox().restsUntil();
    if (rest != null) {
      tables.orchestratorQueue().rest(snapshot.id(), rest);
    }
  }
}
