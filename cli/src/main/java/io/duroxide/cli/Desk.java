package io.duroxide.cli;

import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.management.Management;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.Provider;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * An open store and where to speak of it.
 *
 * @param json whether answers are for scripts
 */
record Desk(Provider store, Client client, Management management, Terminal terminal, boolean json) {

  static Desk of(Provider store, Terminal terminal, boolean json) {
    return new Desk(store, Client.of(store), Management.of(store), terminal, json);
  }

  Instant now() {
    return store.now();
  }

  /** The instance, or one line that there is none. */
  InstanceInfo instance(String id) {
    if (store.status(id).isEmpty()) {
      throw unknown(id);
    }
    return management.instance(id);
  }

  /** Only what has not ended can still hear something. */
  void requireRunning(String id) {
    OrchestrationStatus status = client.status(id);
    if (status instanceof OrchestrationStatus.NotFound) {
      throw unknown(id);
    }
    if (status.isTerminal()) {
      throw new Stop(Exit.REFUSED, "instance '" + id + "' has ended; nothing would reach it");
    }
  }

  static Stop unknown(String id) {
    return new Stop(Exit.FAILED, "no instance '" + id + "' in this store");
  }

  /** One answer, in one of two forms. */
  void answer(JsonNode form, String text) {
    terminal.line(json ? Forms.pretty(form) : text);
  }
}
