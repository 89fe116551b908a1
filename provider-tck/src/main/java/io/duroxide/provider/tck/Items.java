package io.duroxide.provider.tck;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Messages that tests send. */
final class Items {
  static final String ORCHESTRATION = "TestOrch";
  static final String VERSION = "1.0.0";
  static final ErrorDetails BOOM =
      new ErrorDetails.Application(ApplicationErrorKind.ACTIVITY_FAILED, "boom");

  private Items() {}

  static WorkItem.StartOrchestration start(String instance) {
    return start(instance, VERSION);
  }

  static WorkItem.StartOrchestration start(String instance, @Nullable String version) {
    return new WorkItem.StartOrchestration(instance, ORCHESTRATION, "{}", version, null);
  }

  static WorkItem.StartOrchestration child(String instance, String parent) {
    return new WorkItem.StartOrchestration(
        instance, ORCHESTRATION, "{}", VERSION, new ParentLink(parent, 1, 2));
  }

  static WorkItem.ContinueAsNew continueAsNew(String instance) {
    return new WorkItem.ContinueAsNew(
        instance, ORCHESTRATION, "{}", VERSION, null, Inheritance.NOTHING, null);
  }

  static WorkItem.ExternalRaised raised(String instance, String data) {
    return new WorkItem.ExternalRaised(instance, "signal", data);
  }

  static WorkItem.QueueMessage message(String instance, String data) {
    return new WorkItem.QueueMessage(instance, "mailbox", data);
  }

  static WorkItem.CancelInstance cancel(String instance) {
    return new WorkItem.CancelInstance(instance, "no longer needed", null);
  }

  static WorkItem.ActivityExecute activity(String instance, long id) {
    return activity(new ActivityKey(instance, 1, id), ActivityRouting.ANYWHERE);
  }

  static WorkItem.ActivityExecute activity(ActivityKey key, ActivityRouting routing) {
    return new WorkItem.ActivityExecute(
        key,
        "TestActivity",
        "input-" + key.activityId(),
        routing,
        new ActivityOrigin(ORCHESTRATION, VERSION, Events.STAMP.at()));
  }

  static WorkItem.ActivityCompleted completed(String instance, long id) {
    return new WorkItem.ActivityCompleted(instance, 1, id, "result-" + id, Events.ATTEMPT);
  }

  static WorkItem.ActivityFailed failed(String instance, long id) {
    return new WorkItem.ActivityFailed(instance, 1, id, BOOM, Events.ATTEMPT);
  }

  static WorkItem.TimerFired timer(String instance, long id, Instant fireAt) {
    return new WorkItem.TimerFired(instance, 1, id, fireAt);
  }

  static WorkItem.SubOrchCompleted childCompleted(String parent, long id) {
    return new WorkItem.SubOrchCompleted(parent, 1, id, "child-" + id);
  }

  static WorkItem.SubOrchFailed childFailed(String parent, long id) {
    return new WorkItem.SubOrchFailed(parent, 1, id, BOOM);
  }
}
