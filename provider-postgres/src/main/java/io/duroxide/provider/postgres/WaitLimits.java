package io.duroxide.provider.postgres;

import java.time.Duration;

/**
 * How long a store waits for its server.
 *
 * @param patience how long an operation waits for a connection, and goes on trying after one broke
 * @param answerTimeout after how long without an answer a connection of the provider's own pool
 *     counts as broken
 */
public record WaitLimits(Duration patience, Duration answerTimeout) {
  public WaitLimits {
    if (!patience.isPositive() || !answerTimeout.isPositive()) {
      throw new IllegalArgumentException(
          "patience and answer timeout must be positive, not %s and %s"
              .formatted(patience, answerTimeout));
    }
  }
}
