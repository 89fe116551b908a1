package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.replay.ChildIds;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.ExecutionRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must be remembered of an execution to say at its end how it went. Confined to the turn that
 * has taken it.
 */
final class Tally {
  private final ExecutionRef execution;
  private final Instant startedAt;
  private final Map<Long, OpenChild> children = new HashMap<>(0);
  private int turns;
  private long lastEventId;

  private record OpenChild(ExecutionEvent.Child child, Instant scheduledAt) {}

  private Tally(ExecutionKey key, Event first, EventKind.OrchestrationStarted started) {
    this.execution = new ExecutionRef(key, started.name(), started.version(), started.parent());
    this.startedAt = first.stamp().at();
  }

  /** Of an execution that begins with this event; null if it is not a first event. */
  static @Nullable Tally begin(ExecutionKey key, Event first) {
    return first.kind() instanceof EventKind.OrchestrationStarted started
        ? new Tally(key, first, started)
        : null;
  }

  ExecutionRef execution() {
    return execution;
  }

  ExecutionEvent.Totals totals() {
    return new ExecutionEvent.Totals(startedAt, turns, lastEventId);
  }

  /** Whether it can belong to an execution with this recorded history. */
  boolean fits(List<Event> history) {
    Event first = history.getFirst();
    return first.id() != 1
        || (first.stamp().at().equals(startedAt) && history.getLast().id() >= lastEventId);
  }

  /** Catches up with turns that other nodes took. */
  void catchUp(List<Event> history) {
    List<Event> unseen = history.stream().filter(event -> event.id() > lastEventId).toList();
    if (!unseen.isEmpty()) {
      absorb(unseen);
      turns += TurnCount.of(unseen);
    }
  }

  /** Adds a turn of this node; returns the children whose calls it ended. */
  List<ExecutionEvent.ChildEnded> add(List<Event> delta) {
    if (delta.isEmpty()) {
      return List.of();
    }
    turns++;
    return absorb(delta);
  }

  private List<ExecutionEvent.ChildEnded> absorb(List<Event> events) {
    List<ExecutionEvent.ChildEnded> ended = new ArrayList<>(0);
    for (Event event : events) {
      lastEventId = Math.max(lastEventId, event.id());
      switch (event.kind()) {
        case EventKind.SubOrchestrationScheduled scheduled -> open(event, scheduled);
        case EventKind.SubOrchestrationCompleted ignored ->
            close(event, ExecutionEvent.ChildEnd.COMPLETED, ended);
        case EventKind.SubOrchestrationFailed ignored ->
            close(event, ExecutionEvent.ChildEnd.FAILED, ended);
        case EventKind.SubOrchestrationCancelRequested ignored ->
            close(event, ExecutionEvent.ChildEnd.CANCELLED, ended);
        default -> {}
      }
    }
    return ended;
  }

  private void open(Event event, EventKind.SubOrchestrationScheduled scheduled) {
    String instance = ChildIds.full(execution.key(), scheduled.instance());
    children.put(
        event.id(),
        new OpenChild(
            new ExecutionEvent.Child(event.id(), scheduled.name(), instance), event.stamp().at()));
  }

  private void close(
      Event event, ExecutionEvent.ChildEnd end, List<ExecutionEvent.ChildEnded> ended) {
    OpenChild open = event.source() == null ? null : children.remove(event.source());
    if (open != null) {
      ended.add(
          new ExecutionEvent.ChildEnded(
              execution, open.child(), end, open.scheduledAt(), event.stamp().at()));
    }
  }
}
