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
import io.duroxide.provider.StoredHistory;
import io.duroxide.replay.Execution;
import io.duroxide.replay.OrchestrationCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides what a fetched batch means before any code runs. Pure. */
final class Triage {

  /** What to do with the batch. */
  sealed interface Verdict {}

  /** Nothing can come of it: consume the batch, answering those who asked. */
  record Drain(String reason, List<WorkItem> answers) implements Verdict {}

  /**
   * The execution has continued as a new one, whose beginning did not come along. What came is for
   * that one and must not get lost: a store whose clock was set back may hide the beginning for a
   * while.
   *
   * @param otherwise what to do if it never comes
   */
  record Unbegun(Drain otherwise) implements Verdict {}

  /** This node does not have the code. */
  record Unregistered(TurnStart start, String name, @Nullable String version) implements Verdict {}

  /** An execution shall begin, but what it begins with did not come along. */
  record NotWhole() implements Verdict {}

  /**
   * An execution shall begin, but not on this node.
   *
   * @param version what it would be replayed with, or what the execution before it was
   */
  record BegunElsewhere(Semver version) implements Verdict {}

  /** An execution was to begin that nobody can begin: what it begins with is lost. */
  record StartLost(TurnStart start) implements Verdict {}

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
    if (starts.isEmpty() && item.execution().executionId() > ExecutionKey.FIRST) {
      return startLost(item);
    }
    if (starts.isEmpty()) {
      return new Drain("messages for an instance that never started", List.of());
    }
    WorkItem.StartLike start = beginning(item, starts);
    List<WorkItem.StartLike> others = new ArrayList<>(starts);
    others.remove(start);
    List<WorkItem> answers = Collisions.answers(others, start.parent(), null);
    return wholeOrNot(item, () -> begin(item, item.execution(), start, answers));
  }

  /** The first start begins an instance; a restart is a client's, and no parent's. */
  private static WorkItem.StartLike beginning(
      OrchestrationItem item, List<WorkItem.StartLike> starts) {
    boolean isRestart = item.execution().executionId() > ExecutionKey.FIRST;
    return starts.stream()
        .filter(start -> isRestart && start.parent() == null)
        .findFirst()
        .orElse(starts.getFirst());
  }

  /** A restart made the execution current, so it has to come to an end. */
  private Verdict startLost(OrchestrationItem item) {
    EventKind.OrchestrationStarted started = damagedStart(item);
    Event first = new Event(item.execution(), 1, null, stamp, started);
    Arrivals nothing = new Arrivals(List.of(), List.of());
    return new StartLost(
        new TurnStart(item.execution(), started, first, List.of(), nothing, null, null));
  }

  /** A first turn runs on everything that is stored, never on what a kept execution lacks. */
  private static Verdict wholeOrNot(OrchestrationItem item, Supplier<Verdict> begun) {
    return item.history() instanceof StoredHistory.Whole ? begun.get() : new NotWhole();
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
    Drain drain = new Drain("the instance has ended", answers);
    if (!(terminal.get() instanceof EventKind.OrchestrationContinuedAsNew)) {
      return drain;
    }
    if (next != null) {
      WorkItem.ContinueAsNew continuation = next;
      Optional<Semver> pinned = unsupportedPin(item);
      if (pinned.isPresent()) {
        return new BegunElsewhere(pinned.get());
      }
      return wholeOrNot(item, () -> begin(item, item.execution().next(), continuation, answers));
    }
    return new Unbegun(drain);
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
    Optional<Semver> pinned = unsupportedPin(item);
    if (pinned.isPresent()) {
      return new Incompatible(start, pinned.get());
    }
    return registry
        .resolve(recorded.name(), recorded.version())
        .<Verdict>map(handler -> new Run(start, handler.code()))
        .orElseGet(() -> new Unregistered(start, recorded.name(), recorded.version()));
  }

  /** The version that recorded the execution, if this node does not replay it. */
  private Optional<Semver> unsupportedPin(OrchestrationItem item) {
    List<Event> events = item.history().events();
    return events.isEmpty()
        ? Optional.empty()
        : Semver.tryParse(events.getFirst().stamp().frameworkVersion())
            .filter(version -> !isSupported(version));
  }

  private boolean isSupported(Semver version) {
    return supported.stream().anyMatch(range -> range.contains(version));
  }

  private Verdict begin(
      OrchestrationItem item, ExecutionKey key, WorkItem.StartLike start, List<WorkItem> answers) {
    if (!isSupported(FrameworkVersion.CURRENT)) {
      return new BegunElsewhere(FrameworkVersion.CURRENT);
    }
    Optional<OrchestrationRegistry.Resolved> handler =
        registry.resolve(start.orchestration(), start.version());
    Semver version = handler.map(OrchestrationRegistry.Resolved::version).orElse(requested(start));
    EventKind.OrchestrationStarted started = started(start, version);
    Event first = new Event(key, 1, null, stamp, started);
    List<WorkItem> carried =
        started.inheritance().messages().stream()
            .<WorkItem>map(c -> new WorkItem.QueueMessage(key.instance(), c.queue(), c.data()))
            .toList();
    List<WorkItem> messages = withoutStale(key, start, messagesIn(item, carried), item);
    TurnStart turn =
        new TurnStart(
            key,
            started,
            first,
            List.of(),
            new Arrivals(messages, answers),
            null,
            start instanceof WorkItem.ContinueAsNew next ? next.prune() : null);
    if (handler.isPresent()) {
      return new Run(turn, handler.get().code());
    }
    return cancelled(messages, start.parent())
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
  private static boolean cancelled(List<WorkItem> messages, @Nullable ParentLink parent) {
    return messages.stream()
        .anyMatch(message ->
            message instanceof WorkItem.CancelInstance cancel
                && (cancel.parent() == null || cancel.parent().equals(parent)));
  }

  /** A cancel that came before a restart was meant for the execution that has ended. */
  private static List<WorkItem> withoutStale(
      ExecutionKey key, WorkItem.StartLike start, List<WorkItem> messages, OrchestrationItem item) {
    if (key.executionId() == ExecutionKey.FIRST || start instanceof WorkItem.ContinueAsNew) {
      return messages;
    }
    List<WorkItem> batch = item.messages().items();
    long stale =
        batch.subList(0, batch.indexOf(start)).stream()
            .filter(WorkItem.CancelInstance.class::isInstance)
            .count();
    List<WorkItem> kept = new ArrayList<>(messages.size());
    for (WorkItem message : messages) {
      if (message instanceof WorkItem.CancelInstance && stale > 0) {
        stale--;
      } else {
        kept.add(message);
      }
    }
    return kept;
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
