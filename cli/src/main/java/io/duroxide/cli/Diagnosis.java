package io.duroxide.cli;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstanceInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Says why an instance does not get on: decides from its row and its history alone.
 *
 * @param now the time of the store
 * @param patience how long nothing may happen
 * @param begun whether the child that a schedule asked for exists
 */
record Diagnosis(Instant now, Duration patience, Predicate<Event> begun) {

  /** Empty if the instance is busy, or will go on by itself. */
  Optional<Finding> of(InstanceInfo info, List<Event> history) {
    if (info.isFinished() || isRecent(info.updatedAt())) {
      return Optional.empty();
    }
    List<Event> open = OpenWaits.of(history);
    for (Event wait : open) {
      Optional<Finding> overdue = overdue(info, wait);
      if (overdue.isPresent()) {
        return overdue;
      }
    }
    if (open.isEmpty()) {
      return Optional.of(noTurn(info));
    }
    if (open.stream().anyMatch(Diagnosis::wakesItself)) {
      return Optional.empty();
    }
    return open.stream().flatMap(wait -> outside(info, wait).stream()).findFirst();
  }

  private boolean isRecent(Instant then) {
    return Duration.between(then, now).compareTo(patience) < 0;
  }

  /** What nodes should have done by now. */
  private Optional<Finding> overdue(InstanceInfo info, Event wait) {
    return switch (wait.kind()) {
      case EventKind.TimerCreated timer when !isRecent(timer.fireAt()) ->
          found(
              info,
              Finding.Kind.TURN,
              timer.fireAt(),
              "its timer was due %s and did not fire; does a node run %s?"
                  .formatted(Shown.age(timer.fireAt(), now), orchestration(info)));
      case EventKind.ActivityScheduled activity when !isRecent(wait.stamp().at()) ->
          found(
              info,
              Finding.Kind.ACTIVITY,
              wait.stamp().at(),
              "activity '%s'%s was scheduled %s and has no outcome; does a node run it?"
                  .formatted(activity.name(), tag(activity), Shown.age(wait.stamp().at(), now)));
      case EventKind.SubOrchestrationScheduled child
          when !isRecent(wait.stamp().at()) && !begun.test(wait) ->
          found(
              info,
              Finding.Kind.CHILD,
              wait.stamp().at(),
              "its child '%s' was asked for %s and has not begun; does a node run '%s'?"
                  .formatted(child.instance(), Shown.age(wait.stamp().at(), now), child.name()));
      default -> Optional.empty();
    };
  }

  /** A timer that is not due, an activity or a child at work: the instance is in good hands. */
  private static boolean wakesItself(Event wait) {
    return !(wait.kind() instanceof EventKind.ExternalSubscribed
        || wait.kind() instanceof EventKind.QueueSubscribed);
  }

  private Optional<Finding> outside(InstanceInfo info, Event wait) {
    Instant since = wait.stamp().at();
    String span = Shown.span(Duration.between(since, now));
    return switch (wait.kind()) {
      case EventKind.ExternalSubscribed event ->
          found(
              info,
              Finding.Kind.MESSAGE,
              since,
              "waits for the event '%s' for %s; 'raise' sends it".formatted(event.name(), span));
      case EventKind.QueueSubscribed queue ->
          found(
              info,
              Finding.Kind.MESSAGE,
              since,
              "waits for a message in '%s' for %s; 'enqueue' sends one"
                  .formatted(queue.name(), span));
      default -> Optional.empty();
    };
  }

  private Finding noTurn(InstanceInfo info) {
    String idle = Shown.span(Duration.between(info.updatedAt(), now));
    return new Finding(
        info,
        Finding.Kind.TURN,
        Duration.between(info.updatedAt(), now),
        "has everything it needs and took no turn for %s; does a node run %s, or does its code block?"
            .formatted(idle, orchestration(info)));
  }

  private Optional<Finding> found(
      InstanceInfo info, Finding.Kind kind, Instant since, String reason) {
    return Optional.of(new Finding(info, kind, Duration.between(since, now), reason));
  }

  private static String orchestration(InstanceInfo info) {
    return "'" + info.orchestration().name() + "' " + info.orchestration().version();
  }

  private static String tag(EventKind.ActivityScheduled activity) {
    return activity.tag() == null ? "" : " with tag '" + activity.tag() + "'";
  }
}
