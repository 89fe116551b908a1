/** Spans of clients, orchestrations, turns, activities and children. */
module io.duroxide.tracing.opentelemetry {
  requires transitive io.duroxide.core;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires static transitive io.opentelemetry.sdk.trace;
  requires static transitive org.jspecify;

  exports io.duroxide.tracing.opentelemetry;
}
