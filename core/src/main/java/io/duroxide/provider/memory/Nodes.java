package io.duroxide.provider.memory;

import io.duroxide.model.NodeOffer;
import io.duroxide.provider.NodeInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The nodes that have announced themselves. Guarded by the gate. */
final class Nodes {
  private final StoreClock clock;
  private final Map<String, NodeInfo> byId = new TreeMap<>();

  Nodes(StoreClock clock) {
    this.clock = clock;
  }

  void announce(String id, NodeOffer offer, Duration validFor) {
    byId.put(id, new NodeInfo(id, offer, StoreClock.after(clock.now(), validFor)));
    Instant now = clock.now();
    byId.values().removeIf(node -> !node.until().isAfter(now));
  }

  /** The clock went back. */
  void shift(StoreClock.Step step) {
    byId.replaceAll((id, node) -> new NodeInfo(id, node.offer(), step.shifted(node.until())));
  }

  List<NodeInfo> alive() {
    Instant now = clock.now();
    return byId.values().stream().filter(node -> node.until().isAfter(now)).toList();
  }
}
