package io.duroxide.proof.check;

import io.duroxide.model.EventKind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** IV-1, IV-3, IV-4: what clients started, and nothing else, is there. */
final class StartCheck implements InvariantCheck {
  private static final Set<Entry.Deed> STARTS =
      Set.of(Entry.Deed.START, Entry.Deed.START_AND_SEND, Entry.Deed.START_NEW);

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    Set<String> deleted = evidence.deleted();
    for (CallTrail trail : evidence.trails()) {
      boolean plain = STARTS.contains(trail.deed()) && trail.deed() != Entry.Deed.START_NEW;
      if (plain && trail.isAcknowledged() && !deleted.contains(trail.instance())) {
        started(evidence.archive(), trail, breaches);
      } else if (trail.deed() == Entry.Deed.DELETE && trail.isAcknowledged()) {
        Archive.Stored stored = evidence.archive().instances().get(trail.instance());
        breaches.unless(
            stored == null || evidence.isRaisedAfterDeletion(stored),
            "IV-1",
            trail.instance(),
            "it was deleted and is there");
      }
    }
    contests(evidence, breaches);
    strangers(evidence, breaches);
    return breaches.all();
  }

  private static void started(Archive archive, CallTrail trail, Breaches breaches) {
    Archive.Stored stored = archive.instances().get(trail.instance());
    if (stored == null || stored.executions().isEmpty()) {
      breaches.add("IV-1", trail.instance(), "its start was acknowledged and it is not there");
      return;
    }
    EventKind.OrchestrationStarted started = stored.started();
    breaches.unless(
        started == null || started.input().equals(trail.call().text()),
        "IV-1",
        trail.instance(),
        "it began with another input than the one that was acknowledged");
  }

  private static void contests(Evidence evidence, Breaches breaches) {
    Map<String, List<CallTrail>> contests =
        evidence.trails().stream()
            .filter(trail -> trail.deed() == Entry.Deed.START_NEW)
            .collect(Collectors.groupingBy(CallTrail::instance));
    contests.forEach((instance, trails) -> {
      List<CallTrail> accepted = trails.stream().filter(CallTrail::isAcknowledged).toList();
      breaches.unless(
          accepted.size() <= 1, "IV-4", instance, accepted.size() + " starts were accepted");
      Archive.Stored stored = evidence.archive().instances().get(instance);
      EventKind.OrchestrationStarted started = stored == null ? null : stored.started();
      breaches.unless(
          accepted.isEmpty() || started != null,
          "IV-1",
          instance,
          "its start was acknowledged and it is not there");
      if (started == null) {
        return;
      }
      for (CallTrail trail : trails) {
        boolean won = trail.call().text().equals(started.input());
        breaches.unless(
            !(won && trail.isRefused()),
            "IV-3",
            instance,
            "the start of " + trail.step().name() + " was refused and runs");
        breaches.unless(
            won || !trail.isAcknowledged(),
            "IV-4",
            instance,
            "the start of " + trail.step().name() + " was accepted and another one runs");
      }
    });
  }

  /** Instances without a parent that no client asked for. */
  private static void strangers(Evidence evidence, Breaches breaches) {
    Set<String> known = new HashSet<>();
    for (CallTrail trail : evidence.trails()) {
      if (STARTS.contains(trail.deed()) && trail.most() > 0) {
        known.add(trail.instance());
      }
    }
    Set<String> detached =
        evidence.archive().instances().values().stream()
            .flatMap(Archive.Stored::events)
            .map(event ->
                event.kind() instanceof EventKind.OrchestrationChained c ? c.instance() : "")
            .collect(Collectors.toSet());
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      EventKind.OrchestrationStarted started = stored.started();
      boolean asked =
          started == null
              || started.parent() != null
              || known.contains(stored.id())
              || detached.contains(stored.id())
              || known.stream().anyMatch(root -> stored.id().startsWith(root + "."));
      breaches.unless(asked, "IV-3", stored.id(), "it is there and no client started it");
    }
  }
}
