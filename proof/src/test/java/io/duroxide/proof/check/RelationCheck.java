package io.duroxide.proof.check;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** IV-13: each child and each detached start began once, each parent was told what is true. */
final class RelationCheck implements InvariantCheck {

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    Map<ParentLink, Archive.Stored> children = new HashMap<>();
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      var head = stored.snapshot().head();
      if (head != null && head.parent() != null) {
        Archive.Stored twin = children.put(head.parent(), stored);
        breaches.unless(
            twin == null,
            "IV-13",
            stored.id(),
            "it and %s are the same child".formatted(twin == null ? "" : twin.id()));
      }
    }
    for (Archive.Stored stored : evidence.archive().instances().values()) {
      stored
          .executions()
          .forEach((number, history) -> {
            answers(stored.id(), number, history, children, breaches);
            detached(evidence, stored.id(), history, breaches);
          });
    }
    return breaches.all();
  }

  private static void answers(
      String parent,
      long execution,
      List<Event> history,
      Map<ParentLink, Archive.Stored> children,
      Breaches breaches) {
    for (Event event : history) {
      Long source = event.source();
      if (source == null) {
        continue;
      }
      Archive.Stored child = children.get(new ParentLink(parent, execution, source));
      String where = parent + "#" + execution;
      if (isOutcome(event.kind()) && child != null && child.hasEnded()) {
        Instant ended = child.last().getLast().stamp().at();
        breaches.unless(
            !event.stamp().at().isBefore(ended),
            "IV-13",
            where,
            "it was told of the end of child %d %s before that was stored"
                .formatted(source, Duration.between(event.stamp().at(), ended)));
      }
      if (event.kind() instanceof EventKind.SubOrchestrationCompleted completed) {
        breaches.unless(
            child != null
                && child.end() instanceof EventKind.OrchestrationCompleted own
                && own.output().equals(completed.result()),
            "IV-13",
            where,
            "it was told that child %d completed, and that is not so".formatted(source));
      } else if (event.kind() instanceof EventKind.SubOrchestrationFailed failed && child != null) {
        breaches.unless(
            child.end() instanceof EventKind.OrchestrationFailed own
                && Objects.equals(
                    own.details().displayMessage(), failed.details().displayMessage()),
            "IV-13",
            where,
            "it was told that child %d failed, and that is not so".formatted(source));
      }
    }
  }

  private static boolean isOutcome(EventKind kind) {
    return kind instanceof EventKind.SubOrchestrationCompleted
        || kind instanceof EventKind.SubOrchestrationFailed;
  }

  private static void detached(
      Evidence evidence, String by, List<Event> history, Breaches breaches) {
    for (Event event : history) {
      if (event.kind() instanceof EventKind.OrchestrationChained chained
          && !evidence.deleted().contains(chained.instance())) {
        Archive.Stored stored = evidence.archive().instances().get(chained.instance());
        EventKind.OrchestrationStarted started = stored == null ? null : stored.started();
        breaches.unless(
            stored != null
                && !stored.executions().isEmpty()
                && (started == null || started.input().equals(chained.input())),
            "IV-13",
            chained.instance(),
            "it was started by " + by + " and did not begin, or with another input");
      }
    }
  }
}
