package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.time.Duration;

/** The exceptions by which this store says no. */
final class Refusal {
  private Refusal() {}

  static ProviderException lockLost(String operation, String token) {
    return new ProviderException(
        Kind.LOCK_LOST,
        operation,
        "invalid lock token '"
            + token
            + "': it expired, was used, replaced or removed; drop the work and fetch again");
  }

  static ProviderException duplicateEvent(String operation, String execution) {
    return new ProviderException(
        Kind.DUPLICATE_EVENT,
        operation,
        execution + ": an event is stored already or stands twice; drop the turn and fetch again");
  }

  static ProviderException invalid(String operation, String message) {
    return new ProviderException(Kind.INVALID_INPUT, operation, message);
  }

  static ProviderException closed(String operation) {
    return new ProviderException(
        Kind.UNAVAILABLE, operation, "the store was closed; open a new one");
  }

  static ProviderException interrupted(String operation) {
    return new ProviderException(
        Kind.TIMEOUT, operation, "interrupted before it began; nothing was changed");
  }

  static ProviderException unknownInstance(String operation, String instance) {
    return new ProviderException(
        Kind.NOT_FOUND, operation, "instance '" + instance + "' was not found");
  }

  /** {@code duration}, which must be positive to be the length of a lock. */
  static Duration checkLease(String operation, Duration duration) {
    if (!duration.isPositive()) {
      throw invalid(operation, "a lock must last longer than zero, not " + duration);
    }
    return duration;
  }
}
