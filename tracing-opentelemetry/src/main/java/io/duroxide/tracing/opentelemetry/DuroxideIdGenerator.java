package io.duroxide.tracing.opentelemetry;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.Objects;

/**
 * Gives the spans of executions the ids that other processes already refer to, and all other spans
 * those of another generator. Install it in the tracer provider. Thread-safe.
 */
public final class DuroxideIdGenerator implements IdGenerator {
  private final IdGenerator others;

  private DuroxideIdGenerator(IdGenerator others) {
    this.others = Objects.requireNonNull(others, "others");
  }

  /** With random ids for all other spans. */
  public static DuroxideIdGenerator create() {
    return before(IdGenerator.random());
  }

  /** With the ids of {@code others} for all other spans. */
  public static DuroxideIdGenerator before(IdGenerator others) {
    return new DuroxideIdGenerator(others);
  }

  @Override
  public String generateSpanId() {
    SpanContext wish = ChosenIds.wish();
    return wish == null ? others.generateSpanId() : wish.getSpanId();
  }

  @Override
  public String generateTraceId() {
    SpanContext wish = ChosenIds.wish();
    return wish == null ? others.generateTraceId() : wish.getTraceId();
  }
}
