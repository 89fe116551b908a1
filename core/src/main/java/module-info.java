/** Durable execution: orchestrations that survive crashes. */
module io.duroxide.core {
  requires org.slf4j;
  requires tools.jackson.databind;
  requires static transitive org.jspecify;
}
