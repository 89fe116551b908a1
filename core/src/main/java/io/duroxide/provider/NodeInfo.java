package io.duroxide.provider;

import io.duroxide.model.NodeOffer;
import java.time.Instant;
import java.util.Objects;

/**
 * A node that lives.
 *
 * @param id what it calls itself
 * @param offer what it can run
 * @param until when it counts as gone unless it announces itself again
 */
public record NodeInfo(String id, NodeOffer offer, Instant until) {
  public NodeInfo {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(offer, "offer");
    Objects.requireNonNull(until, "until");
  }
}
