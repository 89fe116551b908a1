package io.duroxide.provider.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Receipts for what a lane sends from outside turns. With one, a repeated call recognises that the
 * first arrived; once some were answered, the next call removes them. They are numbered, so that
 * those of a lane stand side by side. Confined to a lane.
 */
final class Receipts {
  private static final int LANE_SHIFT = 48;
  private static final int REMOVED_TOGETHER = 32;

  private final long node;
  private final long lane;
  private final List<UUID> issued = new ArrayList<>();
  private final List<UUID> settled = new ArrayList<>();
  private long count;

  Receipts(Node node, int lane) {
    this.node = node.id();
    this.lane = (long) lane << LANE_SHIFT;
  }

  /**
   * A receipt for one call.
   *
   * @param settled what the call removes
   */
  record Receipt(UUID id, List<UUID> settled) {}

  Receipt issue() {
    UUID id = new UUID(node, lane | ++count);
    issued.add(id);
    if (settled.size() < REMOVED_TOGETHER) {
      return new Receipt(id, List.of());
    }
    Receipt receipt = new Receipt(id, List.copyOf(settled));
    settled.clear();
    return receipt;
  }

  /** All calls were answered. */
  void settle() {
    settled.addAll(issued);
    issued.clear();
  }
}
