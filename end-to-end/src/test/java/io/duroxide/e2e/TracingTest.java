package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.tracing.opentelemetry.DuroxideIdGenerator;
import io.duroxide.tracing.opentelemetry.OpenTelemetryTracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Spans of a client and two nodes that share nothing but the store. */
class TracingTest extends Scenario {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW = texts("Flow");
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final Orchestration<String, String> LOOP = texts("Loop");
  private static final Orchestration<String, String> AUDIT = texts("Audit");

  private final Place client = new Place();
  private final Place turns = new Place();
  private final Place workers = new Place();

  /** A tracer provider of its own, as another process has. */
  private static final class Place {
    final InMemorySpanExporter exported = InMemorySpanExporter.create();
    final OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setIdGenerator(DuroxideIdGenerator.create())
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build();
    final OpenTelemetryTracing tracing = OpenTelemetryTracing.of(sdk);
  }

  private void start() {
    RuntimeOptions.Builder onlyTurns =
        world.options().workerConcurrency(0).telemetry(turns.tracing);
    RuntimeOptions.Builder onlyWork =
        world.options().orchestrationConcurrency(0).telemetry(workers.tracing);
    world.start(
        onlyTurns,
        n ->
            n.orchestration(CHILD, (ctx, in) -> ctx.call(WORK, in).await())
                .orchestration(
                    FLOW,
                    (ctx, in) -> {
                      ctx.call(WORK, in).await();
                      ctx.startDetached(AUDIT, "audit", in);
                      ctx.call(CHILD, in).await();
                      return ctx.call(CHILD, in, ChildOptions.instanceId("own")).await();
                    })
                .orchestration(AUDIT, (ctx, in) -> in)
                .orchestration(
                    LOOP, (ctx, in) -> in.equals("2") ? "done" : ctx.continueAsNew("2")));
    world.start(onlyWork, n -> n.activity(WORK, (ctx, in) -> call(in)));
  }

  /** A library that makes spans. */
  private String call(String in) {
    workers.sdk.getTracer("http").spanBuilder("POST /work").startSpan().end();
    return in;
  }

  private Stream<SpanData> all() {
    return Stream.of(client, turns, workers)
        .flatMap(process -> process.exported.getFinishedSpanItems().stream());
  }

  private SpanData only(String name) {
    List<SpanData> found = all().filter(span -> span.getName().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }

  private void await(String span, int times) {
    world.until(() -> all().filter(data -> data.getName().equals(span)).count() == times);
  }

  private static List<String> linked(SpanData span) {
    return span.getLinks().stream().map(link -> link.getSpanContext().getSpanId()).toList();
  }

  @Test
  @DisplayName("E2E-767 a client and two nodes write one trace without sending anything along")
  void oneTrace() {
    start();
    Span request = client.sdk.getTracer("web").spanBuilder("POST /orders").startSpan();
    Client traced = world.client().withTelemetry(client.tracing);
    Context.root().with(request).wrap(() -> traced.start(FLOW, "i", "x")).run();
    world.output("i");
    await("orchestration Flow", 1);

    SpanData flow = only("orchestration Flow");
    assertThat(flow.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    SpanData sent = client.exported.getFinishedSpanItems().getFirst();
    assertThat(sent.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
    assertThat(linked(sent)).containsExactly(flow.getSpanId());

    List<SpanData> activities = below(flow, "activity Work");
    assertThat(activities).hasSize(1);
    assertThat(below(activities.getFirst(), "POST /work")).hasSize(1);
    assertThat(below(flow, "turn Flow")).isNotEmpty();
    assertThat(below(flow, "start Flow")).hasSize(1);
  }

  private List<SpanData> below(SpanData parent, String name) {
    return all()
        .filter(span -> span.getName().equals(name))
        .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
        .filter(span -> span.getTraceId().equals(parent.getTraceId()))
        .toList();
  }

  @Test
  @DisplayName("E2E-767 children and detached instances are in the trace, or linked both ways")
  void children() {
    start();
    world.client().start(FLOW, "i", "x");
    world.output("i");
    world.output("audit");
    await("orchestration Child", 2);
    await("orchestration Flow", 1);
    await("orchestration Audit", 1);

    SpanData flow = only("orchestration Flow");
    assertThat(below(flow, "orchestration Child")).hasSize(1);
    SpanData own =
        all()
            .filter(span -> span.getName().equals("orchestration Child"))
            .filter(span -> !span.getTraceId().equals(flow.getTraceId()))
            .findFirst()
            .orElseThrow();
    assertThat(linked(own)).containsExactly(flow.getSpanId());
    assertThat(linked(below(flow, "child Child").getFirst())).containsExactly(own.getSpanId());
    SpanData audit = only("orchestration Audit");
    assertThat(linked(below(flow, "start Audit").getFirst())).containsExactly(audit.getSpanId());
    assertThat(linked(below(audit, "start Audit").getFirst())).containsExactly(flow.getSpanId());
  }

  @Test
  @DisplayName("E2E-767 executions of a continue-as-new point at each other")
  void continueAsNew() {
    start();
    world.client().start(LOOP, "i", "1");
    world.output("i");
    await("orchestration Loop", 2);

    AtomicReference<SpanData> first = new AtomicReference<>();
    AtomicReference<SpanData> second = new AtomicReference<>();
    all()
        .filter(span -> span.getName().equals("orchestration Loop"))
        .forEach(span ->
            (span.getAttributes().asMap().containsValue("success") ? second : first).set(span));
    assertThat(first.get().getTraceId()).isNotEqualTo(second.get().getTraceId());
    assertThat(linked(first.get())).containsExactly(second.get().getSpanId());
    assertThat(linked(second.get())).containsExactly(first.get().getSpanId());
  }
}
