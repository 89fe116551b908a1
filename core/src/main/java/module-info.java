/** Durable execution: the authoring API, the engine, the storage contract and the runtime. */
module io.duroxide.core {
  requires org.slf4j;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires static transitive org.jspecify;

  exports io.duroxide.model;
  exports io.duroxide.provider;
  exports io.duroxide.provider.memory;
}
