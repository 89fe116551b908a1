package io.duroxide.codec;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;

/** Reads work items; an unknown type is refused. */
final class WorkItemReader {
  private WorkItemReader() {}

  static WorkItem read(FieldReader in) {
    return switch (in.text("type")) {
      case "StartOrchestration" -> start(in);
      case "ContinueAsNew" -> continueAsNew(in);
      case "ActivityExecute" -> execute(in);
      case "ActivityCompleted" ->
          new WorkItem.ActivityCompleted(
              in.text("instance"),
              in.number("execution_id"),
              in.number("id"),
              in.text("result"),
              in.attempt());
      case "ActivityFailed" ->
          new WorkItem.ActivityFailed(
              in.text("instance"),
              in.number("execution_id"),
              in.number("id"),
              in.details(),
              in.attempt());
      case "TimerFired" ->
          new WorkItem.TimerFired(
              in.text("instance"),
              in.number("execution_id"),
              in.number("id"),
              in.instant("fire_at_ms"));
      case "SubOrchCompleted" -> childCompleted(in);
      case "SubOrchFailed" -> childFailed(in);
      case "ExternalRaised" ->
          new WorkItem.ExternalRaised(in.text("instance"), in.text("name"), in.text("data"));
      case "QueueMessage" ->
          new WorkItem.QueueMessage(in.text("instance"), in.text("name"), in.text("data"));
      case "CancelInstance" ->
          new WorkItem.CancelInstance(in.text("instance"), in.text("reason"), in.parent());
      default -> throw in.unknown("type");
    };
  }

  private static WorkItem start(FieldReader in) {
    if (in.numberOr("execution_id", ExecutionKey.FIRST) != ExecutionKey.FIRST) {
      throw in.problem("field 'execution_id' is not 1, but a start begins the first execution");
    }
    return new WorkItem.StartOrchestration(
        in.text("instance"),
        in.text("orchestration"),
        in.text("input"),
        in.optionalText("version"),
        in.parent(),
        PruneForm.readAutoPrune(in),
        in.flagOr("detached", false));
  }

  private static WorkItem continueAsNew(FieldReader in) {
    return new WorkItem.ContinueAsNew(
        in.text("instance"),
        in.text("orchestration"),
        in.text("input"),
        in.optionalText("version"),
        in.parent(),
        new Inheritance(
            in.carried(),
            in.optionalText("initial_custom_status"),
            PruneForm.readAutoPrune(in),
            in.reads()),
        PruneForm.read(in));
  }

  private static WorkItem childCompleted(FieldReader in) {
    return new WorkItem.SubOrchCompleted(
        in.text("parent_instance"),
        in.number("parent_execution_id"),
        in.number("parent_id"),
        in.text("result"));
  }

  private static WorkItem childFailed(FieldReader in) {
    return new WorkItem.SubOrchFailed(
        in.text("parent_instance"),
        in.number("parent_execution_id"),
        in.number("parent_id"),
        in.details());
  }

  private static WorkItem execute(FieldReader in) {
    return new WorkItem.ActivityExecute(
        new ActivityKey(in.text("instance"), in.number("execution_id"), in.number("id")),
        in.text("name"),
        in.text("input"),
        new ActivityRouting(in.optionalText("session_id"), in.optionalText("tag")),
        new ActivityOrigin(
            in.textOr("orchestration_name", ActivityOrigin.UNKNOWN.orchestration()),
            in.textOr("orchestration_version", ActivityOrigin.UNKNOWN.version()),
            in.has("scheduled_at_ms") ? in.instant("scheduled_at_ms") : null));
  }
}
