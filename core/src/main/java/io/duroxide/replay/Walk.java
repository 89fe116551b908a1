package io.duroxide.replay;

import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.SystemActivities;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Leads the code along its history and beyond.
 *
 * <p>Recorded events come first: schedules bind to what the code asked for, completions and
 * arrivals answer it. When they are used up, what the code still asks for is recorded, one action
 * at a time, exactly as a later replay will meet it: a dequeue may find a message at once, and a
 * system call is answered on the spot.
 */
final class Walk implements Conductor.Source {
  private static final int MAX_RERUNS = 100_000;

  private final ExecutionSetup setup;
  private final Conductor conductor;
  private final Nondeterminism words;
  private final Ledger ledger;
  private final TreeMap<Long, OperationFuture> bound = new TreeMap<>();
  private final Map<String, List<OperationFuture>> waits = new HashMap<>(0);
  private final Map<String, Mailbox> mailboxes = new HashMap<>(0);
  private List<Event> events = List.of();
  private int next;
  private int persistedCount;
  private int reruns;
  private List<NewAction> newActions = new ArrayList<>();
  private @Nullable Recording recording;
  private @Nullable ErrorDetails failure;

  Walk(ExecutionSetup setup, Conductor conductor, Nondeterminism words, Ledger ledger) {
    this.setup = setup;
    this.conductor = conductor;
    this.words = words;
    this.ledger = ledger;
  }

  /**
   * Prepares a turn.
   *
   * @param persisted how many of {@code turnEvents} were stored before this turn
   */
  void begin(List<Event> turnEvents, int persisted, Recording turnRecording) {
    events = turnEvents;
    next = 0;
    persistedCount = persisted;
    reruns = 0;
    newActions = new ArrayList<>();
    recording = turnRecording;
  }

  /** Lets go of what the turn read and recorded, so that a parked execution does not hold it. */
  void end() {
    events = List.of();
    next = 0;
    newActions = List.of();
    recording = null;
  }

  @Override
  public boolean advance() {
    if (failure != null) {
      return false;
    }
    if (next < events.size()) {
      conductor.replaying(next < persistedCount);
      apply(events.get(next++));
      return failure == null;
    }
    conductor.replaying(false);
    Conductor.Emission emission = conductor.pollEmitted();
    if (emission == null) {
      return false;
    }
    recordNew(emission, true);
    return failure == null;
  }

  /** Records what the code asked for before it ended. */
  void recordLeftOver() {
    for (Conductor.Emission e = conductor.pollEmitted(); e != null; e = conductor.pollEmitted()) {
      recordNew(e, false);
    }
  }

  @Nullable ErrorDetails failure() {
    return failure;
  }

  List<NewAction> newActions() {
    return newActions;
  }

  // Recorded events

  private void apply(Event event) {
    conductor.position(event.id());
    switch (event.kind()) {
      case EventKind.Lifecycle ignored -> {}
      case EventKind.Terminal ignored -> {}
      case EventKind.Decision ignored -> {}
      case EventKind.Schedule schedule -> applySchedule(event, schedule);
      case EventKind.Passive passive -> applyPassive(event, passive);
      case EventKind.Completion completion -> applyCompletion(event, completion);
      case EventKind.Arrival arrival -> applyArrival(event, arrival);
    }
  }

  private void applySchedule(Event event, EventKind.Schedule schedule) {
    Conductor.Emission emission = conductor.pollEmitted();
    Action asked = emission == null ? null : emission.action();
    if (emission == null || !Matching.matches(asked, schedule)) {
      String what =
          emission == null ? "history schedule but no emitted action" : "schedule mismatch";
      failure = words.unexpected(what, event, asked);
      return;
    }
    OperationFuture future = emission.future();
    if (future != null) {
      if (schedule instanceof EventKind.SubOrchestrationScheduled child) {
        future.childInstance(ChildIds.full(setup.key(), child.instance()));
      }
      bind(future, event.id());
    }
  }

  private void applyPassive(Event event, EventKind.Passive passive) {
    Conductor.Emission emission = conductor.pollEmitted();
    Action asked = emission == null ? null : emission.action();
    if (!Matching.matches(asked, passive)) {
      failure = words.unexpected(Matching.mismatchText(passive, asked == null), event, asked);
    }
  }

  private void applyCompletion(Event event, EventKind.Completion completion) {
    Long source = event.source();
    if (source == null) {
      return;
    }
    OperationFuture future = bound.get(source);
    if (future == null) {
      failure = words.withoutSchedule(event);
      return;
    }
    ScheduleKind completed = ScheduleKind.of(completion);
    if (future.kind() != completed) {
      failure = words.wrongKind(event, future.kind(), completed);
      return;
    }
    bound.remove(source);
    answer(future, completion);
  }

  private void answer(OperationFuture future, EventKind.Completion completion) {
    DataConverter converter = setup.options().converter();
    switch (completion) {
      case EventKind.ActivityCompleted e -> future.complete(e.result());
      case EventKind.SubOrchestrationCompleted e -> future.complete(e.result());
      case EventKind.TimerFired e -> future.complete(Long.toString(e.fireAt().toEpochMilli()));
      case EventKind.HistoryPruned e -> future.complete(PruneAnswer.text(e));
      case EventKind.ActivityFailed e -> {
        if (e.details() instanceof ErrorDetails.Application details) {
          future.fail(new ActivityFailedException(nameOf(future), details, converter));
        } else {
          failure = e.details();
        }
      }
      case EventKind.SubOrchestrationFailed e -> {
        if (e.details() instanceof ErrorDetails.Application details) {
          future.fail(new SubOrchestrationFailedException(nameOf(future), details, converter));
        } else {
          failure = e.details();
        }
      }
    }
  }

  private static String nameOf(OperationFuture future) {
    return switch (future.action()) {
      case Action.CallActivity a -> a.name();
      case Action.StartSubOrchestration s -> s.name();
      default -> future.kind().label();
    };
  }

  private void applyArrival(Event event, EventKind.Arrival arrival) {
    switch (arrival) {
      case EventKind.ExternalEvent e -> accept(e);
      case EventKind.QueueEventDelivered e ->
          mailbox(e.name()).deliver(Mailbox.Message.of(event.id(), e));
    }
  }

  /** The earliest wait that is still wanted takes the event; without one nobody ever will. */
  private void accept(EventKind.ExternalEvent event) {
    List<OperationFuture> waiting = waits.get(event.name());
    if (waiting == null) {
      return;
    }
    waiting.removeIf(OperationFuture::abandoned);
    if (!waiting.isEmpty()) {
      OperationFuture slot = waiting.removeFirst();
      bound.remove(slot.eventId());
      slot.complete(event.data());
    }
  }

  private Mailbox mailbox(String name) {
    return mailboxes.computeIfAbsent(name, key -> new Mailbox(this::observed));
  }

  private void observed(long dequeueId) {
    bound.remove(dequeueId);
    ledger.observed(dequeueId);
  }

  private void bind(OperationFuture future, long eventId) {
    future.bind(eventId);
    bound.put(eventId, future);
    if (future.abandoned()) {
      return;
    }
    switch (future.action()) {
      case Action.WaitExternal wait ->
          waits.computeIfAbsent(wait.name(), key -> new ArrayList<>(1)).add(future);
      case Action.DequeueEvent dequeue -> mailbox(dequeue.name()).subscribe((DequeueFuture) future);
      default -> {}
    }
  }

  // New actions

  private void recordNew(Conductor.Emission emission, boolean running) {
    Recording turn = recording();
    Action action = emission.action();
    long id = turn.nextId();
    conductor.position(id);
    EventKind kind = NewEvents.of(action, setup.key(), id);
    turn.add(null, kind);
    OperationFuture future = emission.future();
    if (kind instanceof EventKind.SubOrchestrationScheduled child && future != null) {
      future.childInstance(ChildIds.full(setup.key(), child.instance()));
    }
    newActions.add(new NewAction(id, action, future == null ? null : future.childInstance()));
    if (future == null) {
      return;
    }
    bind(future, id);
    if (running && !future.abandoned()) {
      answerSystemCall(future, id);
    }
    if (future.ready() && ++reruns > MAX_RERUNS) {
      failure = words.endless(MAX_RERUNS);
    }
  }

  /** Time, ids and pruning need no worker: their outcome is recorded beside their schedule. */
  private void answerSystemCall(OperationFuture future, long id) {
    EventKind.Completion outcome =
        switch (future.action()) {
          case Action.CallActivity call -> systemCall(call);
          case Action.PruneHistory prune ->
              conductor.onBusiness(() -> setup.options().pruning().prune(setup, prune.retention()));
          default -> null;
        };
    if (outcome != null) {
      conductor.position(recording().nextId());
      recording().add(id, outcome);
      newActions.removeLast();
      bound.remove(id);
      answer(future, outcome);
    }
  }

  private EventKind.@Nullable Completion systemCall(Action.CallActivity call) {
    return switch (call.name()) {
      case SystemActivities.NEW_GUID ->
          new EventKind.ActivityCompleted(setup.options().guids().get().toString());
      case SystemActivities.UTC_NOW ->
          new EventKind.ActivityCompleted(Long.toString(recording().now().toEpochMilli()));
      default -> null;
    };
  }

  private Recording recording() {
    if (recording == null) {
      throw new IllegalStateException("no turn has begun");
    }
    return recording;
  }

  // The end

  /**
   * What is open and has no decision. Whether activities and children are open, history alone says,
   * also behind the event at which the code ended; a subscription is open until the code got
   * something through it.
   */
  Outstanding outstanding() {
    Outstanding recorded = ledger.outstanding();
    return new Outstanding(
        recorded.activities(),
        recorded.children(),
        openSubscriptions(ScheduleKind.WAIT),
        openSubscriptions(ScheduleKind.DEQUEUE));
  }

  private List<Long> openSubscriptions(ScheduleKind kind) {
    Stream<Long> read =
        bound.entrySet().stream().filter(e -> e.getValue().kind() == kind).map(Map.Entry::getKey);
    Stream<Long> unread =
        events.subList(next, events.size()).stream()
            .filter(e -> e.kind() instanceof EventKind.Schedule s && ScheduleKind.of(s) == kind)
            .map(Event::id);
    return Stream.concat(read, unread).filter(id -> !ledger.isDecided(id)).sorted().toList();
  }

  static ChildRef childRef(long id, OperationFuture future) {
    String instance = future.childInstance();
    return new ChildRef(id, instance == null ? "" : instance);
  }

  /** Messages nobody consumed, also those behind the event at which the code ended. */
  List<CarriedEvent> unconsumed() {
    return unread().stream().map(Mailbox.Message::content).toList();
  }

  private List<Mailbox.Message> unread() {
    List<Mailbox.Message> messages = new ArrayList<>();
    mailboxes.values().forEach(mailbox -> messages.addAll(mailbox.unconsumed()));
    for (Event event : events.subList(next, events.size())) {
      if (event.kind() instanceof EventKind.QueueEventDelivered e) {
        messages.add(Mailbox.Message.of(event.id(), e));
      }
    }
    messages.sort(Comparator.comparingLong(Mailbox.Message::eventId));
    return messages;
  }

  /** Whether a message of these queues is among the events and nobody consumed it. */
  boolean leaves(List<String> queues, List<Event> events) {
    Set<Long> unread = new HashSet<>();
    unread().forEach(message -> unread.add(message.eventId()));
    return events.stream()
        .anyMatch(event ->
            event.kind() instanceof EventKind.QueueEventDelivered message
                && queues.contains(message.name())
                && unread.contains(event.id()));
  }

  /** How the queues stand; what lies behind the event at which the code ended does not count. */
  List<MailboxCount> mailboxes() {
    return mailboxes.entrySet().stream()
        .map(entry -> entry.getValue().count(entry.getKey()))
        .toList();
  }

  /** Forgets waits and dequeues whose end is recorded; activities may still report. */
  void forget(OperationFuture decided) {
    if (decided.kind() == ScheduleKind.WAIT || decided.kind() == ScheduleKind.DEQUEUE) {
      bound.remove(decided.eventId());
    }
  }
}
