package io.duroxide.replay;

import io.duroxide.api.Limits;
import io.duroxide.model.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much the history of one execution holds; payload is counted only where it is limited. */
final class HistorySize {
  private final Limits limits;
  private long bytes;

  HistorySize(Limits limits) {
    this.limits = limits;
  }

  /** Counts events that are recorded. */
  void add(List<Event> recorded) {
    if (isPayloadLimited()) {
      bytes += PayloadSize.EXACT.of(recorded);
    }
  }

  /** Counts the events of a turn that is about to be committed. */
  void add(Recording turn) {
    if (isPayloadLimited()) {
      bytes += PayloadSize.EXACT.of(turn.events());
    }
  }

  private boolean isPayloadLimited() {
    return limits.historyBytes() < Long.MAX_VALUE;
  }

  /** Why the execution may not go on after this turn; null if it may. */
  @Nullable LimitExcess violation(Recording turn) {
    long events = turn.nextId() - 1;
    if (events > limits.historyEvents()) {
      return new LimitExcess(
          "History event count (%d) exceeds limit (%d); continue as new before that"
              .formatted(events, limits.historyEvents()),
          events,
          limits.historyEvents());
    }
    if (!isPayloadLimited()) {
      return null;
    }
    long size = bytes + PayloadSize.EXACT.of(turn.events());
    return size <= limits.historyBytes()
        ? null
        : new LimitExcess(
            "History size (%d bytes) exceeds limit (%d bytes); continue as new before that"
                .formatted(size, limits.historyBytes()),
            size,
            limits.historyBytes());
  }
}
