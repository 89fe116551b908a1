package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.replay.Execution;
import io.duroxide.replay.OrchestrationCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides what a fetched batch means before any code runs. Pure. */
final class Triage {

  /** What to do with the batch. */
  sealed interface Verdict {}

  /** Nothing can come of it: consume the batch, answering those who asked. */
  record Drain(String reason, List<WorkItem> answers) implements Verdict {}

  /** This node does not have the code. */
  record Unregistered(TurnStart start, String name, @Nullable String version) implements Verdict {}

  /** This node cannot replay the execution. */
  record Incompatible(TurnStart start, Semver pinned) implements Verdict {}

  /** Run a turn. */
  record Run(TurnStart start, OrchestrationCode code) implements Verdict {}

  /** A cancel needs no handler: it wins over whatever the code would have done. */
  private static final OrchestrationCode CANCELLED_WITHOUT_CODE = (ctx, input) -> "";

  private final OrchestrationRegistry registry;
  private final List<SemverRange> supported;
  private final EventStamp stamp;

  Triage(OrchestrationRegistry registry, List<SemverRange> supported, EventStamp stamp) {
    this.registry = registry;
    this.supported = supported;
    this.stamp = stamp;
  }

  /**
   * Looks at a batch.
   *
   * @param parked the execution if it waits in memory; the item's history holds newer events then
   */
  Verdict of(OrchestrationItem item, @Nullable Execution parked) {
    EventKind.OrchestrationStarted recorded = recordedStart(item, parked);
    return recorded == null ? unknownInstance(item) : knownInstance(item, parked, recorded);
  }

  private static EventKind.@Nullable OrchestrationStarted recordedStart(
      OrchestrationItem item, @Nullable Execution parked) {
    if (parked != null) {
      return parked.started().orElse(null);
    }
    List<Event> history = item.history().events();
    if (history.isEmpty()) {
      return null;
    }
    return history.getFirst().kind() instanceof EventKind.OrchestrationStarted started
        ? started
        : damagedStart(item);
  }

  /** For a history without its beginning, so that the engine can say what is wrong with it. */
  private static EventKind.OrchestrationStarted damagedStart(OrchestrationItem item) {
    return new EventKind.OrchestrationStarted(
        item.orchestrationName(), item.version(), "", null, Inheritance.NOTHING);
  }

  private Verdict unknownInstance(OrchestrationItem item) {
    List<WorkItem.StartLike> starts = startsIn(item);
    if (starts.isEmpty()) {
      return new Drain("messages for an instance that never started", List.of());
    }
    WorkItem.StartLike start = starts.getFirst();
    List<WorkItem> answers =
        Collisions.answers(starts.subList(1, starts.size()), start.parent(), null);
    return begin(item, item.execution(), start, answers);
  }

  private Verdict knownInstance(
      OrchestrationItem item, @Nullable Execution parked, EventKind.OrchestrationStarted recorded) {
    Optional<EventKind.Terminal> terminal = terminalIn(item.history().events());
    List<WorkItem.StartLike> others = new ArrayList<>();
    WorkItem.ContinueAsNew next = null;
    for (WorkItem.StartLike start : startsIn(item)) {
      if (start instanceof WorkItem.ContinueAsNew continuation) {
        next = next == null ? continuation : next;
      } else {
        others.add(start);
      }
    }
    List<WorkItem> answers = Collisions.answers(others, recorded.parent(), terminal.orElse(null));
    if (terminal.isEmpty()) {
      return proceed(item, parked, recorded, answers);
    }
    if (next != null && terminal.get() instanceof EventKind.OrchestrationContinuedAsNew) {
      return begin(item, item.execution().next(), next, answers);
    }
    return new Drain("the instance has ended", answers);
  }

  private Verdict proceed(
      OrchestrationItem item,
      @Nullable Execution parked,
      EventKind.OrchestrationStarted recorded,
      List<WorkItem> answers) {
    TurnStart start =
        new TurnStart(
            item.execution(),
            recorded,
            null,
            item.history().events(),
            new Arrivals(messagesIn(item, List.of()), answers),
            parked,
            null);
    if (parked != null) {
      return new Run(start, parked.setup().code());
    }
    Optional<Semver> pinned =
        Semver.tryParse(item.history().events().getFirst().stamp().frameworkVersion());
    if (pinned.isPresent() && supported.stream().noneMatch(r -> r.contains(pinned.get()))) {
      return new Incompatible(start, pinned.get());
    }
    return registry
        .resolve(recorded.name(), recorded.version())
        .<Verdict>map(handler -> new Run(start, handler.code()))
        .orElseGet(() -> new Unregistered(start, recorded.name(), recorded.version()));
  }

  private Verdict begin(
      OrchestrationItem item, ExecutionKey key, WorkItem.StartLike start, List<WorkItem> answers) {
    Optional<OrchestrationRegistry.Resolved> handler =
        registry.resolve(start.orchestration(), start.version());
    Semver version = handler.map(OrchestrationRegistry.Resolved::version).orElse(requested(start));
    EventKind.OrchestrationStarted started = started(start, version);
    Event first = new Event(key, 1, null, stamp, started);
    List<WorkItem> carried =
        started.inheritance().messages().stream()
            .<WorkItem>map(c -> new WorkItem.QueueMessage(key.instance(), c.queue(), c.data()))
            .toList();
    TurnStart turn =
        new TurnStart(
            key,
            started,
            first,
            List.of(),
            new Arrivals(messagesIn(item, carried), answers),
            null,
            start instanceof WorkItem.ContinueAsNew next ? next.prune() : null);
    if (handler.isPresent()) {
      return new Run(turn, handler.get().code());
    }
    return cancelled(item, start.parent())
        ? new Run(turn, CANCELLED_WITHOUT_CODE)
        : new Unregistered(turn, start.orchestration(), start.version());
  }

  /** What a start without a handler is recorded with. */
  private static Semver requested(WorkItem.StartLike start) {
    String version = start.version();
    Optional<Semver> parsed = version == null ? Optional.empty() : Semver.tryParse(version);
    return parsed.orElse(Semver.of(0, 0, 0));
  }

  private static EventKind.OrchestrationStarted started(WorkItem.StartLike start, Semver version) {
    return switch (start) {
      case WorkItem.StartOrchestration s ->
          new EventKind.OrchestrationStarted(
              s.orchestration(),
              version.toString(),
              s.input(),
              s.parent(),
              new Inheritance(List.of(), null, s.autoPrune()));
      case WorkItem.ContinueAsNew c ->
          new EventKind.OrchestrationStarted(
              c.orchestration(), version.toString(), c.input(), c.parent(), c.inheritance());
    };
  }

  /** Whether the engine will accept a cancel: a client's, or one of the instance's own parent. */
  private static boolean cancelled(OrchestrationItem item, @Nullable ParentLink parent) {
    return item.messages().items().stream()
        .anyMatch(message ->
            message instanceof WorkItem.CancelInstance cancel
                && (cancel.parent() == null || cancel.parent().equals(parent)));
  }

  private static List<WorkItem.StartLike> startsIn(OrchestrationItem item) {
    return item.messages().items().stream()
        .filter(WorkItem.StartLike.class::isInstance)
        .map(WorkItem.StartLike.class::cast)
        .toList();
  }

  private static List<WorkItem> messagesIn(OrchestrationItem item, List<WorkItem> carried) {
    List<WorkItem> messages = new ArrayList<>(carried);
    for (WorkItem message : item.messages().items()) {
      if (!(message instanceof WorkItem.StartLike)) {
        messages.add(message);
      }
    }
    return messages;
  }

  private static Optional<EventKind.Terminal> terminalIn(List<Event> history) {
    return history.stream()
        .map(Event::kind)
        .filter(EventKind.Terminal.class::isInstance)
        .map(EventKind.Terminal.class::cast)
        .findFirst();
  }
}
