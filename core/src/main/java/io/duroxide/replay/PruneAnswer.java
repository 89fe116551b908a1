package io.duroxide.replay;

import io.duroxide.api.PrunedHistory;
import io.duroxide.model.EventKind;

/** The answer to a pruning on its way through a future, which holds text. */
final class PruneAnswer {
  private static final int PARTS = 3;

  private PruneAnswer() {}

  static String text(EventKind.HistoryPruned pruned) {
    String error = pruned.error();
    String counts = pruned.executionsDeleted() + " " + pruned.eventsDeleted();
    return error == null ? counts : counts + " " + error;
  }

  static PrunedHistory read(String text) {
    String[] parts = text.split(" ", PARTS);
    return new PrunedHistory(
        Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts.length < PARTS ? null : parts[2]);
  }
}
