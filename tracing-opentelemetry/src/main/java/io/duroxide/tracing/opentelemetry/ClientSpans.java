package io.duroxide.tracing.opentelemetry;

import io.duroxide.model.ExecutionKey;
import io.duroxide.telemetry.ClientCall;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Spans of client calls.
 *
 * <p>A call made within a trace has its span there, pointing at the instance, and what it sent
 * leaves a moment in the trace of the instance, pointing back. A call made outside any trace has
 * its span in the trace of the instance. Thread-safe.
 */
final class ClientSpans {
  private final Spans spans;
  private final InstantSource clock;

  ClientSpans(Spans spans, InstantSource clock) {
    this.spans = spans;
    this.clock = clock;
  }

  void on(ClientCall call) {
    Instant end = clock.instant();
    SpanContext caller = Span.current().getSpanContext();
    ExecutionKey instance = new ExecutionKey(call.instance(), ExecutionKey.FIRST);
    if (!caller.isValid()) {
      emit(spans.below(instance, name(call)), call, end);
      return;
    }
    SpanBuilder builder = spans.builder(name(call));
    spans.link(builder, instance, "instance");
    SpanContext sent = emit(builder, call, end);
    if (call.operation() != ClientCall.Operation.WAIT && call.error() == null) {
      SpanBuilder arrival = spans.below(instance, name(call)).setStartTimestamp(end);
      Spans.link(arrival, sent, "client");
      arrival.startSpan().end(end);
    }
  }

  private static SpanContext emit(SpanBuilder builder, ClientCall call, Instant end) {
    builder
        .setSpanKind(
            call.operation() == ClientCall.Operation.WAIT ? SpanKind.CLIENT : SpanKind.PRODUCER)
        .setStartTimestamp(end.minus(call.took()))
        .setAttribute(SpanNames.INSTANCE, call.instance());
    String name = call.name();
    if (name != null) {
      builder.setAttribute(SpanNames.NAME, name);
    }
    Span span = builder.startSpan();
    String error = call.error();
    if (error != null) {
      span.setStatus(StatusCode.ERROR, error);
    }
    span.end(end);
    return span.getSpanContext();
  }

  private static String name(ClientCall call) {
    String operation = call.operation().label();
    return call.name() == null ? operation : operation + " " + call.name();
  }
}
