package io.duroxide.provider.small;

import io.duroxide.model.Event;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.time.Duration;
import java.util.List;

/** What the small provider refuses. */
final class SmallRefusals {
  private SmallRefusals() {}

  static ProviderException lockLost(String operation, String token) {
    return new ProviderException(
        Kind.LOCK_LOST, operation, "no valid lock has the token '" + token + "'; fetch again");
  }

  static ProviderException invalid(String operation, String message) {
    return new ProviderException(Kind.INVALID_INPUT, operation, message);
  }

  /** Locks last longer than zero. */
  static void checkLease(String operation, Duration duration) {
    if (!duration.isPositive()) {
      throw invalid(operation, "a lock must last longer than zero, not " + duration);
    }
  }

  /** Event ids begin at 1. */
  static void checkIds(String operation, List<Event> events) {
    if (events.stream().anyMatch(event -> event.id() < 1)) {
      throw invalid(operation, "event ids begin at 1");
    }
  }
}
