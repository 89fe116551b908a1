package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Need;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.Stranded;
import io.duroxide.replay.LimitExcess;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.ActivityRef;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes what happens to executions and activities, with their ids as fields. Thread-safe. */
final class SignalLog {
  private static final Logger TURNS = LoggerFactory.getLogger("io.duroxide.runtime.turns");
  private static final Logger ACTIVITIES =
      LoggerFactory.getLogger("io.duroxide.runtime.activities");

  private static final Logger NODE = LoggerFactory.getLogger("io.duroxide.runtime.housekeeping");

  private final String nodeId;

  SignalLog(String nodeId) {
    this.nodeId = nodeId;
  }

  void started(ExecutionKey key, EventKind.OrchestrationStarted started) {
    if (TURNS.isDebugEnabled()) {
      execution(Level.DEBUG, key, started.name(), started.version())
          .addKeyValue("is_continue_as_new", key.executionId() > ExecutionKey.FIRST)
          .log("orchestration started");
    }
  }

  void turn(TurnRecord turn) {
    if (TURNS.isTraceEnabled()) {
      ofTurn(Level.TRACE, turn)
          .addKeyValue("messages", turn.item().messages().items().size())
          .addKeyValue("new_events", turn.delta().size())
          .log("turn committed");
    }
  }

  void ended(TurnRecord turn, Ending ending, @Nullable Failure failure, long historyEvents) {
    Level level = level(failure);
    if (!TURNS.isEnabledForLevel(level)) {
      return;
    }
    LoggingEventBuilder event = ofTurn(level, turn).addKeyValue("history_events", historyEvents);
    if (failure != null) {
      event =
          event
              .addKeyValue("error_type", failure.kind().label())
              .addKeyValue("error", failure.details().displayMessage());
    }
    event.log(
        switch (ending) {
          case COMPLETED -> "orchestration completed";
          case FAILED -> "orchestration failed";
          case CANCELLED -> "orchestration cancelled";
          case CONTINUED_AS_NEW -> "orchestration continued as new";
        });
  }

  private static Level level(@Nullable Failure failure) {
    return failure == null
        ? Level.DEBUG
        : switch (failure.kind()) {
          case CANCELLED -> Level.INFO;
          case APPLICATION -> Level.WARN;
          case LIMIT, INFRASTRUCTURE, CONFIGURATION, POISON -> Level.ERROR;
        };
  }

  void limitExceeded(OrchestrationItem item, LimitExcess excess) {
    execution(Level.ERROR, item.execution(), item.orchestrationName(), item.version())
        .addKeyValue("actual", excess.actual())
        .addKeyValue("max", excess.max())
        .log(excess.message());
  }

  void cancelling(TurnRecord turn) {
    if (TURNS.isDebugEnabled()) {
      ofTurn(Level.DEBUG, turn)
          .addKeyValue("status", turn.end().label())
          .addKeyValue("count", turn.commit().cancelledActivities().size())
          .log("cancelling activities");
    }
  }

  /** Retries follow each other quickly: the first is worth a warning. */
  void commitRetried(String instance, ProviderException cause, int retry, Duration pause) {
    TURNS
        .atLevel(retry == 1 ? Level.WARN : Level.DEBUG)
        .addKeyValue("instance_id", instance)
        .addKeyValue("attempts", retry)
        .addKeyValue("backoff_ms", pause.toMillis())
        .addKeyValue("error", cause.getMessage())
        .log("the store did not take a commit, trying again");
  }

  private LoggingEventBuilder ofTurn(Level level, TurnRecord turn) {
    return turn.first() != null
            && turn.first().kind() instanceof EventKind.OrchestrationStarted started
        ? execution(level, turn.key(), started.name(), started.version())
        : execution(level, turn.key(), turn.item().orchestrationName(), turn.item().version());
  }

  private LoggingEventBuilder execution(
      Level level, ExecutionKey key, String name, String version) {
    return TURNS
        .atLevel(level)
        .addKeyValue("instance_id", key.instance())
        .addKeyValue("execution_id", key.executionId())
        .addKeyValue("orchestration_name", name)
        .addKeyValue("orchestration_version", version)
        .addKeyValue("worker_id", "orch-" + nodeId);
  }

  // Activities

  /** What a handler logs, and what it calls logs, carries these as context. */
  void enter(ActivityRef activity) {
    ActivityKey key = activity.key();
    MDC.setContextMap(
        Map.of(
            "instance_id", key.instance(),
            "execution_id", Long.toString(key.executionId()),
            "orchestration_name", activity.origin().orchestration(),
            "activity_name", activity.activity(),
            "activity_id", Long.toString(key.activityId())));
    if (ACTIVITIES.isDebugEnabled()) {
      activity(Level.DEBUG, activity).log("activity started");
    }
  }

  void leave() {
    MDC.clear();
  }

  void finished(
      ActivityTrack track,
      ActivityOutcome outcome,
      @Nullable Duration ran,
      @Nullable Failure failure) {
    boolean failed = outcome == ActivityOutcome.APPLICATION_ERROR;
    Level level = failed ? Level.WARN : Level.DEBUG;
    if (!ACTIVITIES.isEnabledForLevel(level)) {
      return;
    }
    LoggingEventBuilder event =
        activity(level, track.activity())
            .addKeyValue("attempt_count", track.attempt())
            .addKeyValue("outcome", outcome.label());
    if (ran != null) {
      event = event.addKeyValue("duration_ms", ran.toMillis());
    }
    if (failure != null) {
      event = event.addKeyValue("error", failure.details().displayMessage());
    }
    event.log(failed ? "activity failed" : "activity finished");
  }

  void activityNotStored(@Nullable ActivityTrack track, ProviderException cause) {
    if (track != null) {
      activity(Level.WARN, track.activity())
          .addKeyValue("error", cause.getMessage())
          .log("the outcome of the activity could not be stored, handing it back");
    }
  }

  void graceBegins(@Nullable ActivityTrack track, Duration grace) {
    if (track != null) {
      activity(Level.INFO, track.activity())
          .addKeyValue("grace_ms", grace.toMillis())
          .log("activity cancelled, waiting for its handler");
    }
  }

  void handlerLeft(@Nullable ActivityTrack track) {
    if (track != null) {
      activity(Level.WARN, track.activity()).log("activity ignored its cancellation, leaving it");
    }
  }

  /** Warns of what was not stranded before. */
  void stranded(List<Stranded> before, List<Stranded> found) {
    Set<Need> known = before.stream().map(old -> old.work().need()).collect(Collectors.toSet());
    found.stream()
        .filter(stranded -> !known.contains(stranded.work().need()))
        .forEach(stranded ->
            NODE.atWarn()
                .addKeyValue("count", stranded.work().count())
                .log("stranded: {}", stranded.words()));
  }

  void sessionClaimed(String sessionId, boolean again) {
    ACTIVITIES
        .atDebug()
        .addKeyValue("session_id", sessionId)
        .addKeyValue("worker_id", "work-" + nodeId)
        .log(again ? "session came back to this node" : "session came to this node");
  }

  private LoggingEventBuilder activity(Level level, ActivityRef activity) {
    ActivityKey key = activity.key();
    LoggingEventBuilder event =
        ACTIVITIES
            .atLevel(level)
            .addKeyValue("instance_id", key.instance())
            .addKeyValue("execution_id", key.executionId())
            .addKeyValue("orchestration_name", activity.origin().orchestration())
            .addKeyValue("orchestration_version", activity.origin().version())
            .addKeyValue("activity_name", activity.activity())
            .addKeyValue("activity_id", key.activityId())
            .addKeyValue("worker_id", "work-" + nodeId);
    String tag = activity.routing().tag();
    String session = activity.routing().sessionId();
    if (tag != null) {
      event = event.addKeyValue("activity_tag", tag);
    }
    return session == null ? event : event.addKeyValue("session_id", session);
  }
}
