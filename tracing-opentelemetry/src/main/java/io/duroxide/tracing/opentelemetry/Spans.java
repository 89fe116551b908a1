package io.duroxide.tracing.opentelemetry;

import io.duroxide.model.ExecutionKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes spans that belong to executions. Thread-safe. */
final class Spans {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.tracing");

  private final Tracer tracer;
  private final TraceIds ids;
  private final boolean idsAreChosen;

  Spans(Tracer tracer, TraceIds ids) {
    this.tracer = tracer;
    this.ids = ids;
    this.idsAreChosen = idsAreChosen();
  }

  /** Tries it with a span that is never ended, and so never exported. */
  private boolean idsAreChosen() {
    SpanContext wish = ids.span(new ExecutionKey("duroxide-probe", ExecutionKey.FIRST));
    SpanContext got =
        ChosenIds.start(tracer.spanBuilder("probe").setNoParent(), wish).getSpanContext();
    if (got.isValid() && !got.getSpanId().equals(wish.getSpanId())) {
      LOG.warn(
          "the tracer provider does not use DuroxideIdGenerator: spans of an instance share a"
              + " trace, but not a parent");
      return false;
    }
    return true;
  }

  SpanBuilder builder(String name) {
    return tracer.spanBuilder(name);
  }

  /** A span below that of an execution. */
  SpanBuilder below(ExecutionKey execution, String name) {
    return tracer.spanBuilder(name).setParent(context(execution));
  }

  /** The span of an execution itself, not yet started. */
  SpanBuilder execution(ExecutionKey execution, String name) {
    SpanBuilder builder = tracer.spanBuilder(name);
    return TraceIds.sharedParent(execution)
        .map(parent -> builder.setParent(context(parent)))
        .orElseGet(
            () -> idsAreChosen ? builder.setNoParent() : builder.setParent(context(execution)));
  }

  /** Starts the span of an execution under the ids that others refer to. */
  Span start(SpanBuilder builder, ExecutionKey execution) {
    return ChosenIds.start(builder, ids.span(execution));
  }

  /** Points at the span of an execution. */
  void link(SpanBuilder builder, ExecutionKey execution, String relation) {
    link(builder, ids.span(execution), relation);
  }

  static void link(SpanBuilder builder, SpanContext other, String relation) {
    builder.addLink(other, Attributes.of(SpanNames.LINK, relation));
  }

  private Context context(ExecutionKey execution) {
    return Context.root().with(Span.wrap(ids.span(execution)));
  }
}
