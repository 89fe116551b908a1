package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.StoredText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A turn as the row {@code new_turn}, whose fields the tables describe. */
final class TurnRow {
  private TurnRow() {}

  static String of(CommitTurn turn) {
    return RowText.of(turn, TurnRow::write);
  }

  private static void write(RowText row, CommitTurn turn) {
    TurnParts parts = turn.parts();
    long execution = turn.commit().executionId();
    EventKind.CustomStatusUpdated status = parts.customStatus();
    row.number("key", turn.isNew() ? null : turn.lock().key())
        .text("id", turn.isNew() ? turn.instance() : null)
        .uuid("token", turn.lock().secret())
        .number("execution", execution)
        .number("oldest", parts.oldestEvent())
        .number("newest", parts.newestEvent())
        .row("step", turn.step(), TurnRow::writeStep)
        .row("note", isNoted(turn) ? turn : null, TurnRow::writeNote)
        .row("prune", turn.commit().prune(), TurnRow::writePrune)
        .flag("has_status", status != null)
        .text("custom_status", status == null ? null : status.status())
        .rows("events", parts.events(), TurnRow::writeEvent)
        .rows("changes", parts.values(), TurnRow::writeChange)
        .rows("work", turn.orders(), (work, order) -> writeWork(work, order, turn.instance()))
        .rows(
            "cancelled",
            turn.commit().cancelledActivities(),
            (work, key) -> writeKey(work, key, turn.instance()))
        .plainTexts("timers", timers(turn))
        .plainTexts("empty", queues(turn))
        .rows("messages", parts.messages(), (message, sent) -> sent.write(message, null))
        .rows("mailboxes", StoredRoom.of(turn.commit().mailboxes()), StoredRoom::write);
  }

  private static List<String> timers(CommitTurn turn) {
    return turn.commit().withdrawn().timers().stream()
        .map(timer -> NewMessage.timerName(turn.commit().executionId(), timer))
        .toList();
  }

  private static List<String> queues(CommitTurn turn) {
    return turn.commit().mustBeEmpty().stream().map(StoredText::escaped).toList();
  }

  private static void writeStep(RowText row, CommitTurn.Step step) {
    row.number("instance", step.activity().instance())
        .number("execution", step.activity().execution())
        .number("activity", step.activity().activity())
        .uuid("token", step.activity().secret())
        .uuid("tip", step.tip().secret())
        .number("last", step.lastEvent());
  }

  /** Whether there is more to note than what every turn changes. */
  private static boolean isNoted(CommitTurn turn) {
    return turn.parts().start() != null || !turn.commit().metadata().equals(ExecutionMetadata.NONE);
  }

  private static void writeNote(RowText row, CommitTurn turn) {
    ExecutionMetadata metadata = turn.commit().metadata();
    String name = metadata.orchestrationName();
    String version = metadata.orchestrationVersion();
    boolean named = name != null && version != null;
    ParentLink parent = metadata.parent();
    row.text("name", named ? name : null)
        .text("version", named ? version : null)
        .text("parent", parent == null ? null : parent.instance())
        .number("parent_execution", parent == null ? null : parent.executionId())
        .number("parent_event", parent == null ? null : parent.scheduleId())
        .text("status", stored(metadata.status()))
        .text("output", metadata.output())
        .text("pin", pin(metadata.pinnedVersion()))
        .integer("carried", metadata.carryForwardCount())
        .text("execution_version", version);
    EventKind.OrchestrationStarted start = turn.parts().start();
    if (start != null) {
      row.text("start_name", start.name())
          .text("start_version", start.version())
          .integer("start_carried", start.inheritance().messages().size());
    }
  }

  private static @Nullable String stored(@Nullable ExecutionStatus status) {
    return status == null ? null : status.stored();
  }

  private static @Nullable String pin(@Nullable Semver version) {
    return version == null ? null : StoredPins.write(version);
  }

  private static void writePrune(RowText row, PruneOptions options) {
    Instant before = options.completedBefore();
    row.integer("keep", options.keepLast())
        .number("before", before == null ? null : Millis.of(before))
        .integer("previous", options.keepPreviousVersion());
  }

  private static void writeEvent(RowText row, StoredEvent event) {
    row.number("id", event.id()).text("data", event.data());
  }

  private static void writeChange(RowText row, ValueChange change) {
    row.integer("op", change.op())
        .text("key", change.key())
        .number("at", change.at())
        .text("value", change.value());
  }

  private static void writeWork(RowText row, Order order, String own) {
    NewWork work = order.work();
    writeKey(row, work.key(), own);
    row.text("name", work.name())
        .text("tag", work.tag())
        .text("session", work.session())
        .text("payload", work.payload())
        .uuid("token", order.secret())
        .number("lock", order.lock());
  }

  /** The instance is named if it is not the turn's own. */
  private static void writeKey(RowText row, ActivityKey activity, String own) {
    String instance = activity.instance();
    row.text("instance", instance.equals(own) ? null : instance)
        .number("execution", activity.executionId())
        .number("activity", activity.activityId());
  }
}
