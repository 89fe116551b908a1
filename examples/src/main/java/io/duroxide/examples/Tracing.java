package io.duroxide.examples;

import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.TelemetryListener;
import io.duroxide.tracing.opentelemetry.DuroxideIdGenerator;
import io.duroxide.tracing.opentelemetry.OpenTelemetryTracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

/** Spans of a runtime and a client, through the SDK of OpenTelemetry. */
public final class Tracing {
  private Tracing() {}

  static OpenTelemetry openTelemetry(InMemorySpanExporter exporter) {
    SdkTracerProvider tracerProvider =
        SdkTracerProvider.builder()
            .setIdGenerator(DuroxideIdGenerator.create())
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    return OpenTelemetrySdk.builder().setTracerProvider(tracerProvider).build();
  }

  public static void main(String[] args) {
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    TelemetryListener tracing =
        OpenTelemetryTracing.builder(openTelemetry(spans)).turns(false).build();
    RuntimeOptions options = RuntimeOptions.builder().telemetry(tracing).build();

    try (var store = SqliteProvider.inMemory();
        var runtime = Chain.register(DuroxideRuntime.builder(store).options(options)).start()) {
      Chain.run(Client.of(store).withTelemetry(tracing));
    }
    spans.getFinishedSpanItems().stream()
        .map(span -> span.getName())
        .sorted()
        .forEach(System.out::println);
  }
}
