package io.duroxide.proof.check;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.SystemActivities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** IV-15, IV-16, IV-17: what ran, ran for a reason, and under a lock of its own. */
final class ActivityCheck implements InvariantCheck {
  /** A worker may have taken it before its cancellation was committed. */
  private static final long GRACE = 10_000;

  private static final String UNDO = "undo.";

  /** An activity, whichever attempt. */
  private record Key(String instance, long execution, long activity) {
    static Key of(Entry.Work work) {
      return new Key(work.instance(), work.execution(), work.activity());
    }
  }

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    Map<Key, List<Entry.Began>> begun = new HashMap<>();
    for (Entry entry : evidence.entries()) {
      if (entry instanceof Entry.Began began) {
        begun.computeIfAbsent(Key.of(began.work()), key -> new ArrayList<>()).add(began);
      }
    }
    recorded(evidence, begun, breaches);
    holders(evidence, breaches);
    undone(evidence, breaches);
    return breaches.all();
  }

  private static void recorded(
      Evidence evidence, Map<Key, List<Entry.Began>> begun, Breaches breaches) {
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      stored
          .executions()
          .forEach((number, history) -> {
            Set<Long> own =
                history.stream()
                    .filter(event ->
                        event.kind() instanceof EventKind.ActivityScheduled scheduled
                            && !scheduled.name().startsWith(SystemActivities.PREFIX))
                    .map(Event::id)
                    .collect(Collectors.toSet());
            for (Event event : history) {
              Long source = event.source();
              if (source != null && own.contains(source)) {
                Key key = new Key(stored.id(), number, source);
                outcome(event, key, begun.getOrDefault(key, List.of()), breaches);
              }
            }
          });
    }
  }

  private static void outcome(Event event, Key key, List<Entry.Began> begun, Breaches breaches) {
    if (event.kind() instanceof EventKind.ActivityCompleted) {
      breaches.unless(!begun.isEmpty(), "IV-16", key.toString(), "it completed and never began");
    }
    if (event.kind() instanceof EventKind.ActivityCancelRequested) {
      long cancelled = event.stamp().at().toEpochMilli();
      for (Entry.Began began : begun) {
        breaches.unless(
            began.at() <= cancelled + GRACE,
            "IV-16",
            key.toString(),
            "it began %d ms after it was cancelled".formatted(began.at() - cancelled));
      }
    }
  }

  /**
   * Each attempt is another lock, so two nodes that make the same one had a lock together. A node
   * that stops hands its work back uncounted.
   */
  private static void holders(Evidence evidence, Breaches breaches) {
    Set<String> hit =
        evidence.facts().incidents().stream().map(Incident::process).collect(Collectors.toSet());
    Map<Entry.Work, Entry.Began> first = new HashMap<>();
    for (Entry entry : evidence.entries()) {
      if (entry instanceof Entry.Began began) {
        Entry.Began before = first.putIfAbsent(began.work(), began);
        breaches.unless(
            before == null || hit.contains(before.node()) || hit.contains(began.node()),
            "IV-15",
            began.work().toString(),
            "%s and %s had it under one lock"
                .formatted(before == null ? "" : before.node(), began.node()));
      }
    }
  }

  /** Code that undoes steps writes them down: each once, the newest first. */
  private static void undone(Evidence evidence, Breaches breaches) {
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      stored
          .snapshot()
          .values()
          .forEach(value -> {
            String text = value.value();
            if (value.key().startsWith(UNDO) && text != null) {
              breaches.unless(
                  isDescending(text), "IV-17", stored.id(), "the order of undos is " + text);
            }
          });
    }
  }

  private static boolean isDescending(String steps) {
    if (!steps.matches("(.+/\\d+,)+")) {
      return false;
    }
    int last = Integer.MAX_VALUE;
    for (String step : steps.substring(0, steps.length() - 1).split(",", -1)) {
      int number = Integer.parseInt(step.substring(step.lastIndexOf('/') + 1));
      if (number >= last) {
        return false;
      }
      last = number;
    }
    return true;
  }
}
