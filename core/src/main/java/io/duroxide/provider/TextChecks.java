package io.duroxide.provider;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.TextLimit;
import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/**
 * Refuses ids and names that no store takes, for providers: they call it for everything that is
 * given to them, before anything is changed.
 */
public final class TextChecks {
  private final String operation;

  private TextChecks(String operation) {
    this.operation = operation;
  }

  /** Refuses a message or an activity whose ids or names cannot be stored. */
  public static void check(String operation, WorkItem item) {
    new TextChecks(operation).check(item);
  }

  /** Refuses what a commit notes itself; its messages and activities are checked one by one. */
  public static void check(String operation, TurnCommit commit) {
    TextChecks checks = new TextChecks(operation);
    for (Event event : commit.historyDelta()) {
      if (event.kind() instanceof EventKind.KeyValueSet set) {
        checks.text(TextLimit.KEY, set.key());
      }
    }
    checks.text(TextLimit.ORCHESTRATION_NAME, commit.metadata().orchestrationName());
    checks.text(TextLimit.VERSION, commit.metadata().orchestrationVersion());
    checks.parent(commit.metadata().parent());
  }

  private void check(WorkItem item) {
    text(TextLimit.INSTANCE_ID, item.instance());
    switch (item) {
      case WorkItem.StartOrchestration start -> start(start);
      case WorkItem.ContinueAsNew next -> {
        start(next);
        for (CarriedEvent carried : next.inheritance().messages()) {
          text(TextLimit.QUEUE_NAME, carried.queue());
        }
      }
      case WorkItem.Outcome outcome -> id("event", outcome.id());
      case WorkItem.ExternalRaised raised -> text(TextLimit.EVENT_NAME, raised.name());
      case WorkItem.QueueMessage message -> text(TextLimit.QUEUE_NAME, message.name());
      case WorkItem.CancelInstance cancel -> parent(cancel.parent());
      case WorkItem.ActivityExecute activity -> activity(activity);
    }
  }

  private void start(WorkItem.StartLike start) {
    text(TextLimit.ORCHESTRATION_NAME, start.orchestration());
    text(TextLimit.VERSION, start.version());
    parent(start.parent());
  }

  private void activity(WorkItem.ActivityExecute activity) {
    ActivityKey key = activity.key();
    id("activity", key.activityId());
    text(TextLimit.ACTIVITY_NAME, activity.name());
    text(TextLimit.SESSION_ID, activity.routing().sessionId());
    text(TextLimit.TAG, activity.routing().tag());
  }

  private void parent(@Nullable ParentLink parent) {
    if (parent != null) {
      text(TextLimit.INSTANCE_ID, parent.instance());
    }
  }

  private void text(TextLimit limit, @Nullable String text) {
    String complaint = text == null ? null : limit.complaint(text);
    if (complaint != null) {
      throw refused(complaint);
    }
  }

  private void id(String what, long id) {
    if (id < 1) {
      throw refused(what + " ids begin at 1, got " + id);
    }
  }

  private ProviderException refused(String complaint) {
    return new ProviderException(ProviderException.Kind.INVALID_INPUT, operation, complaint);
  }
}
