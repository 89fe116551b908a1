package io.duroxide.tracing.opentelemetry;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.ExecutionRef;
import io.duroxide.telemetry.Failure;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;

/** Spans of executions, their turns, and the children they call. Thread-safe. */
final class ExecutionSpans {
  private final Spans spans;
  private final boolean turns;

  ExecutionSpans(Spans spans, boolean turns) {
    this.spans = spans;
    this.turns = turns;
  }

  void on(ExecutionEvent event) {
    switch (event) {
      case ExecutionEvent.Started ignored -> {}
      case ExecutionEvent.TurnFinished e -> turn(e);
      case ExecutionEvent.Ended e -> ended(e);
      case ExecutionEvent.ChildEnded e -> child(e);
      case ExecutionEvent.DetachedStart e -> detached(e);
      case ExecutionEvent.VersionRefused ignored -> {}
    }
  }

  private void turn(ExecutionEvent.TurnFinished event) {
    if (!turns) {
      return;
    }
    ExecutionEvent.TurnWork work = event.work();
    Span span =
        named(event.execution(), spans.below(event.execution().key(), name("turn", event)))
            .setSpanKind(SpanKind.CONSUMER)
            .setStartTimestamp(event.at().minus(event.took()))
            .setAttribute(SpanNames.STATUS, event.end().label())
            .setAttribute(SpanNames.MESSAGES, (long) work.messages())
            .setAttribute(SpanNames.REPLAYED, (long) work.replayed())
            .setAttribute(SpanNames.RECORDED, (long) work.recorded())
            .setAttribute(SpanNames.KEPT, work.kept())
            .startSpan();
    span.end(event.at());
  }

  private void ended(ExecutionEvent.Ended event) {
    ExecutionKey key = event.execution().key();
    SpanBuilder builder =
        named(event.execution(), spans.execution(key, name("orchestration", event)))
            .setAttribute(SpanNames.STATUS, event.ending().label());
    linkNeighbours(builder, event);
    ExecutionEvent.Totals totals = event.totals();
    if (totals == null) {
      builder.setStartTimestamp(event.at());
    } else {
      builder
          .setStartTimestamp(totals.startedAt())
          .setAttribute(SpanNames.TURNS, (long) totals.turns())
          .setAttribute(SpanNames.HISTORY_EVENTS, totals.events());
    }
    Span span = spans.start(builder, key);
    Failure failure = event.failure();
    if (failure != null) {
      span.setAttribute(SpanNames.ERROR_TYPE, failure.kind().label());
      span.setStatus(StatusCode.ERROR, failure.details().displayMessage());
    }
    span.end(event.at());
  }

  private void linkNeighbours(SpanBuilder builder, ExecutionEvent.Ended event) {
    ExecutionKey key = event.execution().key();
    ParentLink parent = event.execution().parent();
    if (key.executionId() > ExecutionKey.FIRST) {
      ExecutionKey previous = new ExecutionKey(key.instance(), key.executionId() - 1);
      spans.link(builder, previous, "continued_from");
    } else if (parent != null && TraceIds.sharedParent(key).isEmpty()) {
      ExecutionKey asking = new ExecutionKey(parent.instance(), parent.executionId());
      spans.link(builder, asking, "parent");
    }
    if (event.ending() == Ending.CONTINUED_AS_NEW) {
      spans.link(builder, key.next(), "continued_as");
    }
  }

  /** A child under a generated id stands in the same trace by itself. */
  private void child(ExecutionEvent.ChildEnded event) {
    ExecutionKey child = new ExecutionKey(event.child().instance(), ExecutionKey.FIRST);
    if (TraceIds.sharedParent(child).isPresent()) {
      return;
    }
    SpanBuilder builder =
        named(
                event.execution(),
                spans.below(event.execution().key(), "child " + event.child().orchestration()))
            .setSpanKind(SpanKind.CLIENT)
            .setStartTimestamp(event.scheduledAt())
            .setAttribute(SpanNames.NAME, event.child().orchestration())
            .setAttribute(SpanNames.OUTCOME, event.end().label());
    spans.link(builder, child, "child");
    Span span = builder.startSpan();
    if (event.end() == ExecutionEvent.ChildEnd.FAILED) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end(event.at());
  }

  /** A moment in both traces, each pointing at the other. */
  private void detached(ExecutionEvent.DetachedStart event) {
    ExecutionKey by = event.execution().key();
    ExecutionKey started = new ExecutionKey(event.instance(), ExecutionKey.FIRST);
    String name = "start " + event.orchestration();
    moment(event, spans.below(by, name).setSpanKind(SpanKind.PRODUCER), started, "started");
    moment(event, spans.below(started, name), by, "started_by");
  }

  private void moment(
      ExecutionEvent.DetachedStart event,
      SpanBuilder builder,
      ExecutionKey other,
      String relation) {
    spans.link(builder, other, relation);
    builder
        .setAttribute(SpanNames.NAME, event.orchestration())
        .setStartTimestamp(event.at())
        .startSpan()
        .end(event.at());
  }

  private static String name(String what, ExecutionEvent event) {
    return what + " " + event.execution().orchestration();
  }

  private static SpanBuilder named(ExecutionRef execution, SpanBuilder builder) {
    return builder
        .setAttribute(SpanNames.INSTANCE, execution.key().instance())
        .setAttribute(SpanNames.EXECUTION, execution.key().executionId())
        .setAttribute(SpanNames.ORCHESTRATION, execution.orchestration())
        .setAttribute(SpanNames.VERSION, execution.version());
  }
}
