package io.duroxide.proof.check;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.util.List;

/** IV-18, IV-19, IV-20: nothing is left of what has ended, and the store counts right. */
final class RestCheck implements InvariantCheck {
  private static final int PAGE = 100;

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      if (!evidence.isRaisedAfterDeletion(stored)) {
        left(stored, breaches);
      }
      stored.events().forEach(event -> poison(stored.id(), event, breaches));
    }
    ProviderAdmin admin = evidence.store().management().orElseThrow();
    QueueDepths depths = admin.queueDepths();
    breaches.unless(
        depths.orchestrator().locked() == 0 && depths.worker().total() == 0,
        "IV-18",
        "store",
        "something is locked or queued: " + depths);
    counts(evidence.archive(), admin, breaches);
    return breaches.all();
  }

  /** Timers of executions that do not wait for them are not withdrawn yet. */
  private static void left(Archive.Stored stored, Breaches breaches) {
    if (!stored.executions().isEmpty() && !stored.hasEnded()) {
      return;
    }
    stored
        .inbox()
        .filter(item -> !(item instanceof WorkItem.TimerFired))
        .forEach(item -> breaches.add("IV-18", stored.id(), "a message is left: " + item));
    breaches.unless(
        !stored.executions().isEmpty() || stored.inbox().findAny().isEmpty(),
        "IV-18",
        stored.id(),
        "there is no such instance, and messages wait for it");
    stored
        .snapshot()
        .activities()
        .forEach(row -> breaches.add("IV-18", stored.id(), "an activity is left: " + row));
    breaches.unless(
        stored.snapshot().values().stream().noneMatch(InstanceSnapshot.ValueRow::pending),
        "IV-18",
        stored.id(),
        "values of the last execution are kept apart");
  }

  private static void poison(String instance, Event event, Breaches breaches) {
    ErrorDetails details =
        switch (event.kind()) {
          case EventKind.OrchestrationFailed failed -> failed.details();
          case EventKind.ActivityFailed failed -> failed.details();
          case EventKind.SubOrchestrationFailed failed -> failed.details();
          default -> null;
        };
    breaches.unless(
        details == null || details instanceof ErrorDetails.Application,
        "IV-20",
        instance,
        "it failed by " + (details == null ? "" : details.displayMessage()));
  }

  private static void counts(Archive archive, ProviderAdmin admin, Breaches breaches) {
    List<Archive.Stored> known =
        archive.instances().values().stream()
            .filter(stored -> !stored.executions().isEmpty())
            .toList();
    SystemMetrics metrics = admin.systemMetrics();
    SystemMetrics counted =
        new SystemMetrics(
            known.size(),
            known.stream().mapToLong(stored -> stored.executions().size()).sum(),
            known.stream().mapToLong(stored -> stored.events().count()).sum(),
            known.stream().filter(stored -> !stored.hasEnded()).count(),
            known.stream().filter(RestCheck::hasCompleted).count(),
            known.stream().filter(stored -> stored.hasEnded() && !hasCompleted(stored)).count());
    breaches.unless(
        metrics.equals(counted),
        "IV-19",
        "store",
        "it says %s and has %s".formatted(metrics, counted));
    int listed = 0;
    InstanceQuery query = InstanceQuery.firstPage(PAGE);
    InstancePage page = admin.listInstances(query);
    listed += page.rows().size();
    while (page.next() != null) {
      page = admin.listInstances(query.after(page.next()));
      listed += page.rows().size();
    }
    breaches.unless(
        listed == known.size(),
        "IV-19",
        "store",
        "it lists %d instances and has %d".formatted(listed, known.size()));
    long messages =
        archive.instances().values().stream()
            .mapToLong(stored -> stored.snapshot().inbox().messages().size())
            .sum();
    breaches.unless(
        admin.queueDepths().orchestrator().total() == messages,
        "IV-19",
        "store",
        "it counts %d messages and has %d"
            .formatted(admin.queueDepths().orchestrator().total(), messages));
  }

  private static boolean hasCompleted(Archive.Stored stored) {
    return !stored.last().isEmpty()
        && stored.last().getLast().kind() instanceof EventKind.OrchestrationCompleted;
  }
}
