package io.duroxide.tracing.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.ActivityRef;
import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.ExecutionRef;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TurnEnd;
import io.duroxide.telemetry.WorkQueue;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OpenTelemetryTracingTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final ExecutionKey ORDER_7 = new ExecutionKey("order-7", 1);
  private static final ErrorDetails NO_STOCK =
      new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, "no stock");

  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk = sdk(DuroxideIdGenerator.create());
  private final OpenTelemetryTracing tracing = OpenTelemetryTracing.of(sdk);
  private final TraceIds ids = new TraceIds(1);

  @AfterEach
  void close() {
    sdk.close();
  }

  private OpenTelemetrySdk sdk(IdGenerator generator) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .setIdGenerator(generator)
                .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                .addSpanProcessor(SimpleSpanProcessor.create(exported))
                .build())
        .build();
  }

  private SpanData only() {
    assertThat(exported.getFinishedSpanItems()).hasSize(1);
    return exported.getFinishedSpanItems().getFirst();
  }

  private SpanContext span(ExecutionKey execution) {
    return ids.span(execution);
  }

  private static ExecutionRef ref(ExecutionKey key, ParentLink parent) {
    return new ExecutionRef(key, "Order", "1.0.0", parent);
  }

  private static ExecutionEvent ended(ExecutionRef execution, Ending ending, Failure failure) {
    ExecutionEvent.Totals totals =
        new ExecutionEvent.Totals(NOON.minus(Duration.ofHours(2)), 3, 17);
    return new ExecutionEvent.Ended(execution, ending, failure, totals, NOON);
  }

  private static Map<String, String> links(SpanData span) {
    return span.getLinks().stream()
        .collect(
            Collectors.toMap(
                link -> String.valueOf(link.getAttributes().get(SpanNames.LINK)),
                OpenTelemetryTracingTest::target));
  }

  private static String target(LinkData link) {
    return link.getSpanContext().getTraceId() + "/" + link.getSpanContext().getSpanId();
  }

  private static String target(SpanContext span) {
    return span.getTraceId() + "/" + span.getSpanId();
  }

  private static ActivityRef charge() {
    return new ActivityRef(
        new ActivityKey("order-7", 1, 2),
        "Charge",
        new ActivityOrigin("Order", "1.0.0"),
        new ActivityRouting("till-3", "gpu"));
  }

  private static ActivityEvent finished(ActivityOutcome outcome, Failure failure) {
    return new ActivityEvent.Finished(
        charge(),
        outcome,
        1,
        new ActivityEvent.Timing(Duration.ofMillis(4), Duration.ofMillis(5), NOON),
        failure);
  }

  private void startActivity() {
    tracing.on(new ActivityEvent.Started(charge(), 1, NOON, Duration.ofMillis(30)));
  }

  @Test
  @DisplayName("an execution is a root span from start to end, under ids that anyone can compute")
  void execution() {
    tracing.on(ended(ref(ORDER_7, null), Ending.COMPLETED, null));

    SpanData order = only();
    assertThat(order.getName()).isEqualTo("orchestration Order");
    assertThat(order.getTraceId()).isEqualTo(span(ORDER_7).getTraceId());
    assertThat(order.getSpanId()).isEqualTo(span(ORDER_7).getSpanId());
    assertThat(order.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(order.getEndEpochNanos() - order.getStartEpochNanos())
        .isEqualTo(TimeUnit.HOURS.toNanos(2));
    assertThat(order.getAttributes().get(SpanNames.INSTANCE)).isEqualTo("order-7");
    assertThat(order.getAttributes().get(SpanNames.TURNS)).isEqualTo(3);
    assertThat(order.getAttributes().get(SpanNames.HISTORY_EVENTS)).isEqualTo(17);
    assertThat(order.getLinks()).isEmpty();
    assertThat(order.getStatus()).isEqualTo(StatusData.unset());
  }

  @Test
  @DisplayName("a failure is an error with its kind and text")
  void failure() {
    tracing.on(ended(ref(ORDER_7, null), Ending.FAILED, Failure.of(NO_STOCK)));

    assertThat(only().getStatus().getDescription()).isEqualTo("no stock");
    assertThat(only().getAttributes().get(SpanNames.ERROR_TYPE)).isEqualTo("app_error");
    assertThat(only().getAttributes().get(SpanNames.STATUS)).isEqualTo("failed");
  }

  @Test
  @DisplayName("continue-as-new: each execution points at the one before and the one after")
  void continueAsNew() {
    ExecutionKey second = ORDER_7.next();
    tracing.on(ended(ref(second, null), Ending.CONTINUED_AS_NEW, null));

    assertThat(only().getTraceId()).isNotEqualTo(span(ORDER_7).getTraceId());
    assertThat(links(only()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "continued_from", target(span(ORDER_7)),
                "continued_as", target(span(second.next()))));
  }

  @Test
  @DisplayName("turns and activities of any node stand below their execution")
  void turnsAndActivities() {
    OpenTelemetryTracing otherNode = OpenTelemetryTracing.of(sdk);
    tracing.on(
        new ExecutionEvent.TurnFinished(
            ref(ORDER_7, null),
            TurnEnd.WAITING,
            new ExecutionEvent.TurnWork(1, 0, 4, false, null),
            Duration.ofMillis(3),
            NOON));
    otherNode.on(new ActivityEvent.Started(charge(), 1, NOON, null));
    otherNode.on(finished(ActivityOutcome.SUCCESS, null));

    List<SpanData> spans = exported.getFinishedSpanItems();
    assertThat(spans)
        .extracting(SpanData::getName)
        .containsExactly("turn Order", "activity Charge");
    assertThat(spans)
        .allSatisfy(span -> {
          assertThat(span.getTraceId()).isEqualTo(span(ORDER_7).getTraceId());
          assertThat(span.getParentSpanId()).isEqualTo(span(ORDER_7).getSpanId());
        });
    assertThat(spans.getFirst().getAttributes().get(SpanNames.RECORDED)).isEqualTo(4);
    assertThat(spans.getLast().getAttributes().get(SpanNames.TAG)).isEqualTo("gpu");
    assertThat(spans.getLast().getAttributes().get(SpanNames.SESSION)).isEqualTo("till-3");
  }

  @Test
  @DisplayName("spans that a handler makes stand below its activity, and only those")
  void currentInHandler() {
    Tracer user = sdk.getTracer("user");
    startActivity();
    user.spanBuilder("POST /charge").startSpan().end();
    tracing.on(finished(ActivityOutcome.SUCCESS, null));
    user.spanBuilder("later").startSpan().end();

    Map<String, SpanData> byName =
        exported.getFinishedSpanItems().stream()
            .collect(Collectors.toMap(SpanData::getName, span -> span));
    assertThat(byName.get("POST /charge").getParentSpanId())
        .isEqualTo(byName.get("activity Charge").getSpanId());
    assertThat(byName.get("later").getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(byName.get("activity Charge").getAttributes().get(SpanNames.QUEUED_MILLIS))
        .isEqualTo(30);
  }

  @Test
  @DisplayName("a handler left behind ends its span from another thread")
  void leftBehind() throws InterruptedException {
    Thread handler = Thread.ofVirtual().start(this::startActivity);
    handler.join();
    tracing.on(finished(ActivityOutcome.CANCELLED, null));

    assertThat(only().getAttributes().get(SpanNames.OUTCOME)).isEqualTo("cancelled");
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  @DisplayName("an activity failed as poison has a span although it never ran; a bounce has none")
  void poison() {
    tracing.on(finished(ActivityOutcome.CONFIGURATION_ERROR, null));
    assertThat(exported.getFinishedSpanItems()).isEmpty();

    tracing.on(finished(ActivityOutcome.POISON, Failure.of(NO_STOCK)));
    assertThat(only().getStatus().getDescription()).isEqualTo("no stock");
  }

  @Test
  @DisplayName("a child under a generated id stands below its parent in one trace")
  void generatedChild() {
    ExecutionKey child = new ExecutionKey("order-7::sub::4", 1);
    tracing.on(ended(ref(child, new ParentLink("order-7", 1, 4)), Ending.COMPLETED, null));
    tracing.on(childEnded("order-7::sub::4"));

    assertThat(only().getTraceId()).isEqualTo(span(ORDER_7).getTraceId());
    assertThat(only().getParentSpanId()).isEqualTo(span(ORDER_7).getSpanId());
    assertThat(only().getLinks()).isEmpty();
  }

  private static ExecutionEvent childEnded(String instance) {
    return new ExecutionEvent.ChildEnded(
        ref(ORDER_7, null),
        new ExecutionEvent.Child(4, "Ship", instance),
        ExecutionEvent.ChildEnd.FAILED,
        NOON.minus(Duration.ofSeconds(3)),
        NOON);
  }

  @Test
  @DisplayName("a child under an id of its own has its own trace; both point at each other")
  void namedChild() {
    ExecutionKey child = new ExecutionKey("ship-9", 1);
    tracing.on(ended(ref(child, new ParentLink("order-7", 1, 4)), Ending.COMPLETED, null));
    assertThat(links(only())).containsExactlyEntriesOf(Map.of("parent", target(span(ORDER_7))));

    exported.reset();
    tracing.on(childEnded("ship-9"));
    SpanData call = only();
    assertThat(call.getName()).isEqualTo("child Ship");
    assertThat(call.getParentSpanId()).isEqualTo(span(ORDER_7).getSpanId());
    assertThat(links(call)).containsExactlyEntriesOf(Map.of("child", target(span(child))));
    assertThat(call.getEndEpochNanos() - call.getStartEpochNanos())
        .isEqualTo(TimeUnit.SECONDS.toNanos(3));
    assertThat(call.getStatus()).isEqualTo(StatusData.error());
  }

  @Test
  @DisplayName("a detached start leaves a moment in both traces, each pointing at the other")
  void detached() {
    ExecutionKey audit = new ExecutionKey("audit-7", 1);
    tracing.on(new ExecutionEvent.DetachedStart(ref(ORDER_7, null), "Audit", "audit-7", NOON));

    List<SpanData> spans = exported.getFinishedSpanItems();
    assertThat(spans).extracting(SpanData::getName).containsOnly("start Audit");
    assertThat(spans)
        .extracting(SpanData::getParentSpanId)
        .containsExactly(span(ORDER_7).getSpanId(), span(audit).getSpanId());
    assertThat(links(spans.getFirst()))
        .containsExactlyEntriesOf(Map.of("started", target(span(audit))));
    assertThat(links(spans.getLast()))
        .containsExactlyEntriesOf(Map.of("started_by", target(span(ORDER_7))));
  }

  private static ClientCall call(ClientCall.Operation operation, String name, String error) {
    return new ClientCall(operation, "order-7", name, Duration.ofMillis(5), error);
  }

  private void within(Span request, ClientCall call) {
    Context.root().with(request).wrap(() -> tracing.on(call)).run();
  }

  @Test
  @DisplayName("a call within a trace has its span there; call and instance point at each other")
  void clientWithinTrace() {
    Span request = sdk.getTracer("web").spanBuilder("POST /orders").startSpan();
    within(request, call(ClientCall.Operation.START, "Order", null));

    List<SpanData> spans = exported.getFinishedSpanItems();
    assertThat(spans).extracting(SpanData::getName).containsExactly("start Order", "start Order");
    SpanData sent = spans.getFirst();
    SpanData arrived = spans.getLast();
    assertThat(sent.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
    assertThat(sent.getTraceId()).isEqualTo(request.getSpanContext().getTraceId());
    assertThat(links(sent)).containsExactlyEntriesOf(Map.of("instance", target(span(ORDER_7))));
    assertThat(arrived.getParentSpanId()).isEqualTo(span(ORDER_7).getSpanId());
    assertThat(links(arrived))
        .containsExactlyEntriesOf(Map.of("client", target(sent.getSpanContext())));
  }

  @Test
  @DisplayName("a call outside any trace has its span in the trace of the instance")
  void clientOutsideTrace() {
    tracing.on(call(ClientCall.Operation.RAISE_EVENT, "approval", null));

    assertThat(only().getName()).isEqualTo("raise_event approval");
    assertThat(only().getParentSpanId()).isEqualTo(span(ORDER_7).getSpanId());
  }

  @Test
  @DisplayName("a wait and a call that failed leave nothing with the instance")
  void clientWaits() {
    Span request = sdk.getTracer("web").spanBuilder("GET /orders/7").startSpan();
    within(request, call(ClientCall.Operation.WAIT, null, null));
    within(request, call(ClientCall.Operation.CANCEL, null, "the store is down"));

    List<SpanData> spans = exported.getFinishedSpanItems();
    assertThat(spans).extracting(SpanData::getName).containsExactly("wait", "cancel");
    assertThat(spans.getLast().getStatus().getDescription()).isEqualTo("the store is down");
  }

  @Test
  @DisplayName("without the id generator, spans of an instance still share its trace")
  void otherGenerator() {
    try (OpenTelemetrySdk plain = sdk(IdGenerator.random())) {
      OpenTelemetryTracing without = OpenTelemetryTracing.of(plain);
      without.on(ended(ref(ORDER_7, null), Ending.COMPLETED, null));

      assertThat(only().getTraceId()).isEqualTo(span(ORDER_7).getTraceId());
      assertThat(only().getSpanId()).isNotEqualTo(span(ORDER_7).getSpanId());
    }
  }

  @Test
  @DisplayName("other spans keep the ids of the generator they had")
  void otherIds() {
    IdGenerator fixed =
        new IdGenerator() {
          @Override
          public String generateSpanId() {
            return "00000000000000aa";
          }

          @Override
          public String generateTraceId() {
            return "000000000000000000000000000000bb";
          }
        };
    try (OpenTelemetrySdk plain = sdk(DuroxideIdGenerator.before(fixed))) {
      plain.getTracer("user").spanBuilder("any").setNoParent().startSpan().end();

      assertThat(only().getSpanId()).isEqualTo("00000000000000aa");
      assertThat(only().getTraceId()).isEqualTo("000000000000000000000000000000bb");
    }
  }

  @Test
  @DisplayName("turns can be left out; nothing is exported of traces that are not sampled")
  void less() {
    ExecutionEvent turn =
        new ExecutionEvent.TurnFinished(
            ref(ORDER_7, null),
            TurnEnd.WAITING,
            new ExecutionEvent.TurnWork(1, 0, 4, false, null),
            Duration.ofMillis(3),
            NOON);
    OpenTelemetryTracing.builder(sdk).turns(false).build().on(turn);
    OpenTelemetryTracing.builder(sdk).sampledShare(0).build().on(turn);

    assertThat(exported.getFinishedSpanItems()).isEmpty();
    assertThatThrownBy(() -> OpenTelemetryTracing.builder(sdk).sampledShare(1.5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("a node and its store have no spans; no telemetry at all is no trouble")
  void nothing() {
    tracing.on(new NodeEvent.Fetched(WorkQueue.WORKER, 1));
    tracing.on(new StorageEvent.Measured(1, 2, 3, 4, 5, 9, 6));
    OpenTelemetryTracing.of(OpenTelemetry.noop())
        .on(ended(ref(ORDER_7, null), Ending.COMPLETED, null));

    assertThat(exported.getFinishedSpanItems()).isEmpty();
  }
}
