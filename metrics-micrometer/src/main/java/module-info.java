/** Metrics of runtimes and clients in a Micrometer registry. */
module io.duroxide.metrics.micrometer {
  requires transitive io.duroxide.core;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports io.duroxide.metrics.micrometer;
}
