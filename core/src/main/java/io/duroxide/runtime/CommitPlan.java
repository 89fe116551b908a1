package io.duroxide.runtime;

import io.duroxide.api.Limits;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Reasons;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceRules;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WithdrawnWork;
import io.duroxide.replay.Action;
import io.duroxide.replay.ChildRef;
import io.duroxide.replay.NewAction;
import io.duroxide.replay.Outstanding;
import io.duroxide.replay.TurnOutcome;
import io.duroxide.replay.TurnResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the engine decided into one commit: end-of-execution decisions, the terminal event,
 * what is dispatched and what is cancelled, the notice to the parent, answers. Pure.
 */
final class CommitPlan {
  private final TurnStart start;
  private final TurnResult result;
  private final EventStamp stamp;
  private final Limits limits;
  private final List<Event> events = new ArrayList<>();
  private final List<WorkItem> workerItems = new ArrayList<>();
  private final List<WorkItem> orchestratorItems = new ArrayList<>();
  private final Set<Long> cancelled = new HashSet<>();
  private final Set<Long> scheduledNow = new HashSet<>();
  private long lastId;

  private CommitPlan(
      TurnStart start, TurnResult result, long lastRecordedId, EventStamp stamp, Limits limits) {
    this.start = start;
    this.result = result;
    this.lastId = lastRecordedId;
    this.stamp = stamp;
    this.limits = limits;
  }

  /**
   * The commit of a turn.
   *
   * @param lastRecordedId the highest event id of the execution before this turn's new events
   * @param stamp for the events made here
   */
  static TurnCommit of(
      TurnStart start, TurnResult result, long lastRecordedId, EventStamp stamp, Limits limits) {
    return new CommitPlan(start, result, lastRecordedId, stamp, limits).build();
  }

  private TurnCommit build() {
    if (start.firstEvent() != null) {
      addRecorded(start.firstEvent());
    }
    result.delta().forEach(this::addRecorded);
    result.actions().forEach(action -> scheduledNow.add(action.eventId()));
    cancelled.addAll(result.abandoned().activities());
    Ending ending = ending();
    if (ending != null) {
      closeOutstanding(ending);
      add(null, ending.terminal());
    }
    result.actions().forEach(action -> dispatch(action, ending != null));
    if (ending != null) {
      notifyParent(ending.terminal());
    }
    cancelChildren(ending);
    continueAsNew();
    orchestratorItems.addAll(start.arrivals().answers());
    return new TurnCommit(
        start.key().executionId(),
        events,
        workerItems,
        orchestratorItems,
        metadata(ending),
        withdrawn(ending != null),
        new InstanceRules(null, mailboxes(), result.mail().atEnd().mustBeRead()));
  }

  /** How much is delivered next; what has ended has no mailboxes, and what comes is drained. */
  private MailboxRules mailboxes() {
    long execution = start.key().executionId();
    return switch (result.outcome()) {
      case TurnOutcome.Continue ignored ->
          new MailboxWindows(execution, start.started().inheritance().reads())
              .rules(result.mail().counts());
      case TurnOutcome.ContinueAsNew ignored ->
          new MailboxWindows(execution + 1, MailboxWindows.told(result.mail().counts()))
              .rulesBefore(carried());
      default -> MailboxRules.OPEN;
    };
  }

  /** An end takes back all timers by itself, a timer of this very turn was not set. */
  private WithdrawnWork withdrawn(boolean ends) {
    if (cancelled.isEmpty() && result.abandoned().timers().isEmpty()) {
      return WithdrawnWork.NOTHING;
    }
    List<Long> timers =
        result.abandoned().timers().stream()
            .filter(id -> !ends && !scheduledNow.contains(id))
            .toList();
    return new WithdrawnWork(
        CancelledActivities.of(cancelled.stream().sorted().map(this::activityKey).toList()),
        timers);
  }

  // How the execution ends

  /**
   * The words and records of an end.
   *
   * @param reason recorded for what was open
   * @param childReason what children are told
   */
  private record Ending(
      String reason, String childReason, EventKind.Terminal terminal, ExecutionStatus status) {
    String output() {
      return switch (terminal) {
        case EventKind.OrchestrationCompleted e -> e.output();
        case EventKind.OrchestrationFailed e -> e.details().displayMessage();
        case EventKind.OrchestrationContinuedAsNew e -> e.input();
      };
    }
  }

  private @Nullable Ending ending() {
    return switch (result.outcome()) {
      case TurnOutcome.Continue ignored -> null;
      case TurnOutcome.Completed o ->
          new Ending(
              Reasons.TERMINAL_COMPLETED,
              Reasons.PARENT_COMPLETED,
              new EventKind.OrchestrationCompleted(o.output()),
              ExecutionStatus.COMPLETED);
      case TurnOutcome.Failed o ->
          new Ending(
              Reasons.TERMINAL_FAILED,
              Reasons.PARENT_FAILED,
              new EventKind.OrchestrationFailed(o.details()),
              ExecutionStatus.FAILED);
      case TurnOutcome.Cancelled o ->
          new Ending(
              Reasons.TERMINAL_CANCELLED,
              Reasons.PARENT_CANCELED,
              new EventKind.OrchestrationFailed(
                  new ErrorDetails.Application(new ApplicationErrorKind.Cancelled(o.reason()), "")),
              ExecutionStatus.FAILED);
      case TurnOutcome.ContinueAsNew o ->
          new Ending(
              Reasons.TERMINAL_CONTINUED,
              Reasons.PARENT_CONTINUED,
              new EventKind.OrchestrationContinuedAsNew(o.input(), o.prune()),
              ExecutionStatus.CONTINUED_AS_NEW);
    };
  }

  private void closeOutstanding(Ending ending) {
    String reason = ending.reason();
    Outstanding outstanding = result.outstanding();
    for (long id : outstanding.activities()) {
      cancelled.add(id);
      add(id, new EventKind.ActivityCancelRequested(reason));
    }
    for (ChildRef child : outstanding.children()) {
      add(child.scheduleId(), new EventKind.SubOrchestrationCancelRequested(reason));
    }
    for (long id : outstanding.waits()) {
      add(id, new EventKind.ExternalSubscribedCancelled(Reasons.ORCHESTRATION_TERMINAL));
    }
    for (long id : outstanding.dequeues()) {
      add(id, new EventKind.QueueSubscriptionCancelled(Reasons.ORCHESTRATION_TERMINAL));
    }
  }

  private void addRecorded(Event event) {
    events.add(event);
    lastId = Math.max(lastId, event.id());
  }

  private void add(@Nullable Long source, EventKind kind) {
    addRecorded(new Event(start.key(), lastId + 1, source, stamp, kind));
  }

  /** When an event of this turn was made; their ids go up one by one. */
  private Instant recordedAt(long id) {
    return events.get((int) (id - events.getFirst().id())).stamp().at();
  }

  // What goes out

  private void dispatch(NewAction action, boolean ends) {
    long id = action.eventId();
    ExecutionKey key = start.key();
    switch (action.action()) {
      case Action.StartOrchestrationDetached s ->
          orchestratorItems.add(
              WorkItem.StartOrchestration.detached(s.instance(), s.name(), s.input(), s.version()));
      case Action.CallActivity a -> {
        if (!ends && !cancelled.contains(id)) {
          workerItems.add(
              new WorkItem.ActivityExecute(
                  activityKey(id),
                  a.name(),
                  a.input(),
                  a.routing(),
                  new ActivityOrigin(
                      start.started().name(), start.started().version(), recordedAt(id))));
        }
      }
      case Action.CreateTimer t -> {
        if (!ends && !result.abandoned().timers().contains(id)) {
          orchestratorItems.add(
              new WorkItem.TimerFired(key.instance(), key.executionId(), id, t.fireAt()));
        }
      }
      case Action.StartSubOrchestration s -> {
        String child = action.childInstance();
        if (!ends && child != null && !isAbandonedChild(id)) {
          orchestratorItems.add(
              new WorkItem.StartOrchestration(child, s.name(), s.input(), s.version(), linkTo(id)));
        }
      }
      case Action.WaitExternal ignored -> {}
      case Action.DequeueEvent ignored -> {}
      case Action.PruneHistory ignored -> {}
      case Action.UpdateCustomStatus ignored -> {}
      case Action.SetKeyValue ignored -> {}
      case Action.ClearKeyValue ignored -> {}
      case Action.ClearKeyValues ignored -> {}
    }
  }

  private boolean isAbandonedChild(long id) {
    return result.abandoned().children().stream().anyMatch(child -> child.scheduleId() == id);
  }

  private void notifyParent(EventKind.Terminal terminal) {
    ParentLink parent = start.started().parent();
    if (parent != null) {
      WorkItem notice = ParentNotice.of(parent, terminal);
      if (notice != null) {
        orchestratorItems.add(notice);
      }
    }
  }

  /** A child that was asked for in this very turn and not dispatched needs no cancel. */
  private void cancelChildren(@Nullable Ending ending) {
    for (ChildRef child : result.abandoned().children()) {
      cancelChild(child, Reasons.PARENT_DROPPED);
    }
    if (ending != null) {
      for (ChildRef child : result.outstanding().children()) {
        cancelChild(child, ending.childReason());
      }
    }
  }

  private void cancelChild(ChildRef child, String reason) {
    if (!scheduledNow.contains(child.scheduleId())) {
      orchestratorItems.add(
          new WorkItem.CancelInstance(child.instance(), reason, linkTo(child.scheduleId())));
    }
  }

  private void continueAsNew() {
    if (result.outcome() instanceof TurnOutcome.ContinueAsNew next) {
      orchestratorItems.add(
          new WorkItem.ContinueAsNew(
              start.key().instance(),
              start.started().name(),
              next.input(),
              next.version(),
              start.started().parent(),
              new Inheritance(
                  carried(),
                  result.leftOver().customStatus(),
                  start.started().inheritance().autoPrune(),
                  MailboxWindows.told(result.mail().counts())),
              next.prune()));
    }
  }

  private List<CarriedEvent> carried() {
    List<CarriedEvent> messages = result.leftOver().messages();
    return messages.subList(0, Math.min(messages.size(), limits.carriedMessages()));
  }

  private ParentLink linkTo(long scheduleId) {
    return new ParentLink(start.key().instance(), start.key().executionId(), scheduleId);
  }

  private ActivityKey activityKey(long id) {
    return new ActivityKey(start.key().instance(), start.key().executionId(), id);
  }

  private ExecutionMetadata metadata(@Nullable Ending ending) {
    ExecutionMetadata metadata = ExecutionMetadata.NONE;
    Event first = start.firstEvent();
    if (first != null) {
      EventKind.OrchestrationStarted started = start.started();
      metadata =
          ExecutionMetadata.started(started.name(), started.version())
              .withParent(started.parent())
              .withPinnedVersion(Semver.tryParse(first.stamp().frameworkVersion()).orElse(null))
              .withCarryForwardCount(started.inheritance().messages().size());
    }
    return ending == null ? metadata : metadata.withStatus(ending.status(), ending.output());
  }
}
