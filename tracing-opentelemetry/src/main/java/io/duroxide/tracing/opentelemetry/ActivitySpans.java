package io.duroxide.tracing.opentelemetry;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ExecutionKey;
import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.ActivityRef;
import io.duroxide.telemetry.Failure;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Spans of activities, current while the handler runs: spans that it makes stand below.
 * Thread-safe.
 */
final class ActivitySpans {
  private final Spans spans;
  private final Map<Attempt, Running> running = new ConcurrentHashMap<>();

  private record Attempt(ActivityKey key, int attempt) {}

  /** A span and the thread that has it as its current one. */
  private record Running(Span span, Scope scope, Thread thread) {
    void leave() {
      if (thread.equals(Thread.currentThread())) {
        scope.close();
      }
    }
  }

  ActivitySpans(Spans spans) {
    this.spans = spans;
  }

  void on(ActivityEvent event) {
    switch (event) {
      case ActivityEvent.Started e -> started(e);
      case ActivityEvent.Finished e -> finished(e);
    }
  }

  /** The scope is left when the handler is done; a handler left behind takes it along. */
  @SuppressWarnings("MustBeClosedChecker")
  private void started(ActivityEvent.Started event) {
    SpanBuilder builder = builder(event.activity(), event.attempt());
    Duration queued = event.queued();
    if (queued != null) {
      builder.setAttribute(SpanNames.QUEUED_MILLIS, queued.toMillis());
    }
    Span span = builder.startSpan();
    running.put(
        new Attempt(event.activity().key(), event.attempt()),
        new Running(span, span.makeCurrent(), Thread.currentThread()));
  }

  private void finished(ActivityEvent.Finished event) {
    Running open = running.remove(new Attempt(event.activity().key(), event.attempt()));
    if (open != null) {
      open.leave();
      end(open.span(), event);
    } else if (event.outcome() == ActivityOutcome.POISON) {
      end(builder(event.activity(), event.attempt()).startSpan(), event);
    }
  }

  private static void end(Span span, ActivityEvent.Finished event) {
    span.setAttribute(SpanNames.OUTCOME, event.outcome().label());
    Failure failure = event.failure();
    if (failure != null) {
      span.setAttribute(SpanNames.ERROR_TYPE, failure.kind().label());
      span.setStatus(StatusCode.ERROR, failure.details().displayMessage());
    }
    span.end();
  }

  private SpanBuilder builder(ActivityRef activity, int attempt) {
    ActivityKey key = activity.key();
    SpanBuilder builder =
        spans
            .below(
                new ExecutionKey(key.instance(), key.executionId()),
                "activity " + activity.activity())
            .setSpanKind(SpanKind.CONSUMER)
            .setAttribute(SpanNames.INSTANCE, key.instance())
            .setAttribute(SpanNames.EXECUTION, key.executionId())
            .setAttribute(SpanNames.ORCHESTRATION, activity.origin().orchestration())
            .setAttribute(SpanNames.VERSION, activity.origin().version())
            .setAttribute(SpanNames.ACTIVITY, activity.activity())
            .setAttribute(SpanNames.ACTIVITY_ID, key.activityId())
            .setAttribute(SpanNames.ATTEMPT, (long) attempt);
    String tag = activity.routing().tag();
    String session = activity.routing().sessionId();
    if (tag != null) {
      builder.setAttribute(SpanNames.TAG, tag);
    }
    if (session != null) {
      builder.setAttribute(SpanNames.SESSION, session);
    }
    return builder;
  }
}
