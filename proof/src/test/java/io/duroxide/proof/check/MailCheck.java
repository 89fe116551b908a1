package io.duroxide.proof.check;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.proof.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * IV-2, IV-3, IV-11: what clients sent is recorded or waits, not more often than it was sent, and
 * in the order in which it was sent. Only instances of which nothing was pruned can be looked at.
 */
final class MailCheck implements InvariantCheck {
  /** Ledgers and events have milliseconds. */
  private static final long ROUNDING = 2;

  /** A message of a queue, or an event. */
  private record Message(boolean queued, String name, String text) {}

  /** How often, and when, it was sent. */
  private record Sent(long most, boolean acknowledged, long begunAt, long acknowledgedAt) {}

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    Map<String, Map<Message, Sent>> sent = sent(evidence);
    sent.forEach((instance, messages) -> {
      Archive.Stored stored = evidence.archive().instances().get(instance);
      if (stored != null && stored.isComplete()) {
        amounts(stored, messages, breaches);
        order(stored, messages, breaches);
      }
    });
    return breaches.all();
  }

  private static Map<String, Map<Message, Sent>> sent(Evidence evidence) {
    Map<String, Program> programs =
        evidence.programs().stream().collect(Collectors.toMap(Program::name, p -> p));
    Map<String, Map<Message, Sent>> sent = new HashMap<>();
    for (CallTrail trail : evidence.trails()) {
      Map<Message, Sent> own = sent.computeIfAbsent(trail.instance(), id -> new HashMap<>());
      Entry.Call call = trail.call();
      switch (trail.deed()) {
        case SEND -> own.put(new Message(true, call.subject(), call.text()), sent(trail));
        case RAISE -> own.put(new Message(false, call.subject(), call.text()), sent(trail));
        case START_AND_SEND ->
            programs.get(trail.instance()).mail().stream()
                .filter(mail -> mail.sender() == 0)
                .forEach(
                    mail -> own.put(new Message(true, mail.queue(), mail.text()), sent(trail)));
        case START, START_NEW, RESTART, CANCEL, DELETE, PRUNE, WAIT -> {}
      }
    }
    return sent;
  }

  private static Sent sent(CallTrail trail) {
    return new Sent(
        trail.most(),
        trail.isAcknowledged(),
        trail.attempts().getFirst().intent().at(),
        trail.acknowledgedAt().orElse(Long.MAX_VALUE));
  }

  /** Without what an execution took over from the one before, which is recorded once more. */
  private static List<Message> recorded(Archive.Stored stored) {
    List<Message> recorded = new ArrayList<>();
    for (List<Event> history : stored.executions().values()) {
      int carried =
          !history.isEmpty()
                  && history.getFirst().kind() instanceof EventKind.OrchestrationStarted started
              ? started.inheritance().messages().size()
              : 0;
      for (Event event : history) {
        if (event.kind() instanceof EventKind.QueueEventDelivered(String name, String data)) {
          if (carried == 0) {
            recorded.add(new Message(true, name, data));
          } else {
            carried--;
          }
        } else if (event.kind() instanceof EventKind.ExternalEvent(String name, String data)) {
          recorded.add(new Message(false, name, data));
        }
      }
    }
    return recorded;
  }

  private static void amounts(Archive.Stored stored, Map<Message, Sent> sent, Breaches breaches) {
    List<Message> all = recorded(stored);
    stored
        .inbox()
        .forEach(item -> {
          if (item instanceof WorkItem.QueueMessage message) {
            all.add(new Message(true, message.name(), message.data()));
          }
        });
    Map<Message, Long> counts =
        all.stream().collect(Collectors.groupingBy(message -> message, Collectors.counting()));
    counts.forEach((message, count) -> {
      Sent own = sent.get(message);
      if (own != null) {
        breaches.unless(
            count <= own.most(),
            own.most() == 0 ? "IV-3" : "IV-2",
            stored.id(),
            "%s is there %d times and was sent %d times".formatted(message, count, own.most()));
      } else {
        breaches.unless(
            !message.queued(), "IV-3", stored.id(), message + " is there and was not sent");
      }
    });
    long seenUntil = TurnTimes.beforeLast(stored.executions());
    sent.forEach((message, own) ->
        breaches.unless(
            counts.containsKey(message)
                || !own.acknowledged()
                || own.acknowledgedAt() + ROUNDING >= seenUntil,
            "IV-2",
            stored.id(),
            "%s was acknowledged at %d, before the last turn at %d, and is not there; recorded: %s"
                .formatted(message, own.acknowledgedAt(), seenUntil, summary(stored))));
  }

  /** What happened when, in short. */
  private static String summary(Archive.Stored stored) {
    StringJoiner executions = new StringJoiner(" | ");
    for (List<Event> history : stored.executions().values()) {
      StringJoiner events = new StringJoiner(", ");
      for (Event event : history) {
        events.add(
            "%d %s %s"
                .formatted(
                    event.id(),
                    event.kind().getClass().getSimpleName(),
                    event.stamp().at().toEpochMilli()));
      }
      executions.add(events.toString());
    }
    return executions.toString();
  }

  /** What was acknowledged before another one was sent stands before it. */
  private static void order(Archive.Stored stored, Map<Message, Sent> sent, Breaches breaches) {
    Map<String, List<Message>> queues =
        recorded(stored).stream()
            .filter(Message::queued)
            .filter(message -> sent.containsKey(message) && sent.get(message).most() == 1)
            .collect(Collectors.groupingBy(Message::name));
    queues
        .values()
        .forEach(messages -> {
          long earliest = Long.MAX_VALUE;
          for (Message message : messages.reversed()) {
            Sent own = sent.get(message);
            if (own != null) {
              breaches.unless(
                  earliest >= own.begunAt(),
                  "IV-11",
                  stored.id(),
                  message + " stands before one that was acknowledged before it was sent");
              earliest = Math.min(earliest, own.acknowledgedAt());
            }
          }
        });
  }
}
