package io.duroxide.cli;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the schedules of an execution that nothing has answered or given up yet. */
final class OpenWaits {
  private final Map<Long, Event> open = new LinkedHashMap<>();
  private final Map<String, Deque<Long>> subscribed = new HashMap<>();
  private final Map<String, Deque<Long>> dequeuing = new HashMap<>();
  private final Map<String, Integer> mail = new HashMap<>();

  private OpenWaits() {}

  /** The open schedules of a whole history, oldest first. */
  static List<Event> of(List<Event> history) {
    OpenWaits waits = new OpenWaits();
    history.forEach(waits::read);
    return List.copyOf(waits.open.values());
  }

  private void read(Event event) {
    switch (event.kind()) {
      case EventKind.OrchestrationStarted started ->
          started.inheritance().messages().stream()
              .map(CarriedEvent::queue)
              .forEach(this::keepMail);
      case EventKind.ExternalSubscribed wait -> {
        open.put(event.id(), event);
        subscribed.computeIfAbsent(wait.name(), none -> new ArrayDeque<>()).add(event.id());
      }
      case EventKind.QueueSubscribed wait -> dequeue(event, wait.name());
      case EventKind.Schedule ignored -> open.put(event.id(), event);
      case EventKind.ExternalEvent arrival -> answer(subscribed, arrival.name());
      case EventKind.QueueEventDelivered arrival -> deliver(arrival.name());
      case EventKind.Completion ignored -> close(event);
      case EventKind.Decision ignored -> close(event);
      case EventKind.Lifecycle ignored -> {}
      case EventKind.Passive ignored -> {}
      case EventKind.Terminal ignored -> open.clear();
    }
  }

  private void keepMail(String queue) {
    mail.merge(queue, 1, Integer::sum);
  }

  private void dequeue(Event event, String queue) {
    if (mail.getOrDefault(queue, 0) > 0) {
      mail.merge(queue, -1, Integer::sum);
      return;
    }
    open.put(event.id(), event);
    dequeuing.computeIfAbsent(queue, none -> new ArrayDeque<>()).add(event.id());
  }

  private void deliver(String queue) {
    if (!answer(dequeuing, queue)) {
      keepMail(queue);
    }
  }

  /** Gives an arrival to the oldest wait for its name that is still open. */
  private boolean answer(Map<String, Deque<Long>> waits, String name) {
    Deque<Long> line = waits.getOrDefault(name, new ArrayDeque<>());
    while (!line.isEmpty()) {
      if (open.remove(line.poll()) != null) {
        return true;
      }
    }
    return false;
  }

  private void close(Event event) {
    if (event.source() != null) {
      open.remove(event.source());
    }
  }
}
