package io.duroxide.tracing.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ExecutionKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdsTest {
  private final TraceIds ids = new TraceIds(1);

  private String trace(String instance, long execution) {
    return ids.span(new ExecutionKey(instance, execution)).getTraceId();
  }

  @Test
  @DisplayName(
      "ids are the same wherever they are computed: changing them would break traces apart")
  void stable() {
    SpanContext span = ids.span(new ExecutionKey("order-7", 1));

    assertThat(span.isValid()).isTrue();
    assertThat(span.isRemote()).isTrue();
    assertThat(span.getTraceId()).isEqualTo("45a642f0f608563c5ed9fdc3c4d8d51f");
    assertThat(span.getSpanId()).isEqualTo("c66338c46018db8f");
  }

  @Test
  @DisplayName("each execution has a trace of its own")
  void executions() {
    assertThat(trace("order-7", 2)).isNotEqualTo(trace("order-7", 1));
    assertThat(trace("order-8", 1)).isNotEqualTo(trace("order-7", 1));
  }

  @Test
  @DisplayName("a child under a generated id shares the trace of the execution that asked for it")
  void generatedChildren() {
    assertThat(trace("order-7::sub::4", 1)).isEqualTo(trace("order-7", 1));
    assertThat(trace("order-7::sub::3_4", 1)).isEqualTo(trace("order-7", 3));
    assertThat(trace("order-7::sub::3_4::sub::9", 1)).isEqualTo(trace("order-7", 3));
    assertThat(ids.span(new ExecutionKey("order-7::sub::4", 1)).getSpanId())
        .isNotEqualTo(ids.span(new ExecutionKey("order-7", 1)).getSpanId());
  }

  @Test
  @DisplayName("a child's later executions, and ids that only look generated, stand alone")
  void noSharing() {
    assertThat(trace("order-7::sub::4", 2)).isNotEqualTo(trace("order-7", 1));
    assertThat(TraceIds.sharedParent(new ExecutionKey("::sub::4", 1))).isEmpty();
    assertThat(TraceIds.sharedParent(new ExecutionKey("a::sub::x_4", 1))).isEmpty();
    assertThat(TraceIds.sharedParent(new ExecutionKey("ship-7", 1))).isEmpty();
  }

  @ParameterizedTest(name = "share {0}")
  @ValueSource(doubles = {0, 0.1, 0.5, 0.9, 1})
  @DisplayName("sampling decides as the SDK's ratio sampler does")
  void sampling(double share) {
    TraceIds sampled = new TraceIds(share);
    Sampler sampler = Sampler.traceIdRatioBased(share);
    for (int i = 0; i < 1_000; i++) {
      SpanContext span = sampled.span(new ExecutionKey("order-" + i, 1));
      SamplingDecision decision =
          sampler
              .shouldSample(
                  Context.root(),
                  span.getTraceId(),
                  "any",
                  SpanKind.INTERNAL,
                  Attributes.empty(),
                  List.of())
              .getDecision();
      assertThat(span.isSampled()).isEqualTo(decision == SamplingDecision.RECORD_AND_SAMPLE);
    }
  }
}
