package io.duroxide.tracing.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import org.jspecify.annotations.Nullable;

/** How a span asks for its ids: {@link DuroxideIdGenerator} looks for the wish in the context. */
final class ChosenIds {
  private static final ContextKey<SpanContext> WISH = ContextKey.named("duroxide-span-ids");

  private ChosenIds() {}

  /** Starts a span with these ids, if the generator is installed. */
  static Span start(SpanBuilder builder, SpanContext ids) {
    return Context.current().with(WISH, ids).wrapSupplier(builder::startSpan).get();
  }

  /** The ids that the span being started asks for. */
  static @Nullable SpanContext wish() {
    return Context.current().get(WISH);
  }
}
