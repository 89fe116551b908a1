package io.duroxide.provider.postgres;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a store is opened.
 *
 * @param schema the schema of the database that holds the store; created if it is missing
 * @param lanes how many threads, each with a connection while it is busy, change the store
 * @param connections how many connections to use at a time, besides the one that listens; the size
 *     of the pool, if the provider makes it
 * @param notifications whether nodes tell each other of new work; without, waiting fetches look for
 *     it every second, which is all that works behind a proxy that pools transactions
 * @param patience how long an operation waits for a connection, and goes on trying after one broke
 * @param answerTimeout after how long without an answer a connection of the provider's own pool
 *     counts as broken
 * @param clock the store's clock; null for the server's, which is the only one that nodes share
 */
public record PostgresOptions(
    String schema,
    int lanes,
    int connections,
    boolean notifications,
    Duration patience,
    Duration answerTimeout,
    @Nullable InstantSource clock) {
  private static final int LANES = 2;
  private static final int CONNECTIONS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** The schema {@code duroxide}, two lanes, eight connections, with notifications. */
  public static final PostgresOptions DEFAULT =
      new PostgresOptions("duroxide", LANES, CONNECTIONS, true, PATIENCE, ANSWER_TIMEOUT, null);

  public PostgresOptions {
    Objects.requireNonNull(schema, "schema");
    if (lanes < 1 || connections < 2) {
      throw new IllegalArgumentException(
          "at least 1 lane and 2 connections are needed, not %d and %d"
              .formatted(lanes, connections));
    }
    if (!patience.isPositive() || !answerTimeout.isPositive()) {
      throw new IllegalArgumentException(
          "patience and answer timeout must be positive, not %s and %s"
              .formatted(patience, answerTimeout));
    }
  }

  public PostgresOptions withSchema(String newSchema) {
    return new PostgresOptions(
        newSchema, lanes, connections, notifications, patience, answerTimeout, clock);
  }

  public PostgresOptions withLanes(int newCount) {
    return new PostgresOptions(
        schema, newCount, connections, notifications, patience, answerTimeout, clock);
  }

  public PostgresOptions withConnections(int newCount) {
    return new PostgresOptions(
        schema, lanes, newCount, notifications, patience, answerTimeout, clock);
  }

  public PostgresOptions withNotifications(boolean newNotifications) {
    return new PostgresOptions(
        schema, lanes, connections, newNotifications, patience, answerTimeout, clock);
  }

  public PostgresOptions withPatience(Duration newPatience) {
    return new PostgresOptions(
        schema, lanes, connections, notifications, newPatience, answerTimeout, clock);
  }

  public PostgresOptions withAnswerTimeout(Duration newTimeout) {
    return new PostgresOptions(
        schema, lanes, connections, notifications, patience, newTimeout, clock);
  }

  /**
   * With a clock of the process's own in place of the server's, for tests. One that is moved by
   * hand needs {@link PostgresProvider#clockAdvanced}.
   */
  public PostgresOptions withClock(@Nullable InstantSource newClock) {
    return new PostgresOptions(
        schema, lanes, connections, notifications, patience, answerTimeout, newClock);
  }
}
