package io.duroxide.codec;

import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import java.time.Instant;

/** Writes work items: type, then the fields. */
final class WorkItemWriter {
  private WorkItemWriter() {}

  static String write(WorkItem item) {
    FieldWriter out =
        switch (item) {
          case WorkItem.StartLike i -> start(i);
          case WorkItem.Outcome i -> outcome(i);
          case WorkItem.ActivityExecute i -> execute(i);
          case WorkItem.ExternalRaised i ->
              head("ExternalRaised", i).text("name", i.name()).text("data", i.data());
          case WorkItem.QueueMessage i ->
              head("QueueMessage", i).text("name", i.name()).text("data", i.data());
          case WorkItem.CancelInstance i ->
              head("CancelInstance", i).text("reason", i.reason()).parent(i.parent());
        };
    return out.finish();
  }

  private static FieldWriter head(String type, WorkItem item) {
    return new FieldWriter().text("type", type).text("instance", item.instance());
  }

  private static FieldWriter start(WorkItem.StartLike item) {
    return switch (item) {
      case WorkItem.StartOrchestration i ->
          PruneForm.write(
              i.autoPrune(),
              detached(
                  i,
                  startHead("StartOrchestration", i)
                      .parent(i.parent())
                      .number("execution_id", ExecutionKey.FIRST)));
      case WorkItem.ContinueAsNew i -> continueAsNew(i, i.inheritance());
    };
  }

  private static FieldWriter detached(WorkItem.StartOrchestration item, FieldWriter out) {
    return item.detached() ? out.flag("detached", true) : out;
  }

  private static FieldWriter continueAsNew(WorkItem.ContinueAsNew item, Inheritance inheritance) {
    FieldWriter out =
        startHead("ContinueAsNew", item)
            .carried(inheritance.messages())
            .reads(inheritance.reads())
            .optionalText("initial_custom_status", inheritance.customStatus())
            .parent(item.parent());
    PruneForm.write(inheritance.autoPrune(), out);
    return PruneForm.write(item.prune(), out);
  }

  private static FieldWriter startHead(String type, WorkItem.StartLike item) {
    return head(type, item)
        .text("orchestration", item.orchestration())
        .text("input", item.input())
        .optionalText("version", item.version());
  }

  private static FieldWriter outcome(WorkItem.Outcome item) {
    return switch (item) {
      case WorkItem.ActivityCompleted i ->
          outcomeHead("ActivityCompleted", i).text("result", i.result()).attempt(i.attempt());
      case WorkItem.ActivityFailed i ->
          outcomeHead("ActivityFailed", i).details(i.details()).attempt(i.attempt());
      case WorkItem.TimerFired i -> outcomeHead("TimerFired", i).instant("fire_at_ms", i.fireAt());
      case WorkItem.SubOrchCompleted i ->
          childOutcomeHead("SubOrchCompleted", i).text("result", i.result());
      case WorkItem.SubOrchFailed i -> childOutcomeHead("SubOrchFailed", i).details(i.details());
    };
  }

  private static FieldWriter outcomeHead(String type, WorkItem.Outcome item) {
    return head(type, item).number("execution_id", item.executionId()).number("id", item.id());
  }

  private static FieldWriter childOutcomeHead(String type, WorkItem.Outcome item) {
    return new FieldWriter()
        .text("type", type)
        .text("parent_instance", item.instance())
        .number("parent_execution_id", item.executionId())
        .number("parent_id", item.id());
  }

  private static FieldWriter execute(WorkItem.ActivityExecute item) {
    FieldWriter out =
        head("ActivityExecute", item)
            .number("execution_id", item.key().executionId())
            .number("id", item.key().activityId())
            .text("name", item.name())
            .text("input", item.input())
            .optionalText("session_id", item.routing().sessionId())
            .optionalText("tag", item.routing().tag());
    if (item.origin().equals(ActivityOrigin.UNKNOWN)) {
      return out;
    }
    out.text("orchestration_name", item.origin().orchestration())
        .text("orchestration_version", item.origin().version());
    Instant at = item.origin().at();
    return at == null ? out : out.instant("scheduled_at_ms", at);
  }
}
