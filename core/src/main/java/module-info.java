/** Durable execution: the authoring API, the engine, the storage contract and the runtime. */
module io.duroxide.core {
  requires transitive org.slf4j;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires static transitive org.jspecify;

  exports io.duroxide.api;
  exports io.duroxide.client;
  exports io.duroxide.codec;
  exports io.duroxide.management;
  exports io.duroxide.model;
  exports io.duroxide.provider;
  exports io.duroxide.provider.memory;
  exports io.duroxide.runtime;
  exports io.duroxide.telemetry;
}
