package io.duroxide.provider.postgres;

import io.duroxide.provider.MigrationMode;
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
 * @param waits how long the store waits for its server
 * @param clock the store's clock; null for the server's, which is the only one that nodes share
 * @param migrations what opening does with a schema that does not have the library's version
 */
public record PostgresOptions(
    String schema,
    int lanes,
    int connections,
    boolean notifications,
    WaitLimits waits,
    @Nullable InstantSource clock,
    MigrationMode migrations) {
  private static final int LANES = 2;
  private static final int CONNECTIONS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** The schema {@code duroxide}, two lanes, eight connections, with notifications. */
  public static final PostgresOptions DEFAULT =
      new PostgresOptions(
          "duroxide",
          LANES,
          CONNECTIONS,
          true,
          new WaitLimits(PATIENCE, ANSWER_TIMEOUT),
          null,
          MigrationMode.APPLY);

  public PostgresOptions {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(waits, "waits");
    Objects.requireNonNull(migrations, "migrations");
    if (lanes < 1 || connections < 2) {
      throw new IllegalArgumentException(
          "at least 1 lane and 2 connections are needed, not %d and %d"
              .formatted(lanes, connections));
    }
  }

  public PostgresOptions withSchema(String newSchema) {
    return new PostgresOptions(
        newSchema, lanes, connections, notifications, waits, clock, migrations);
  }

  public PostgresOptions withLanes(int newCount) {
    return new PostgresOptions(
        schema, newCount, connections, notifications, waits, clock, migrations);
  }

  public PostgresOptions withConnections(int newCount) {
    return new PostgresOptions(schema, lanes, newCount, notifications, waits, clock, migrations);
  }

  public PostgresOptions withNotifications(boolean newNotifications) {
    return new PostgresOptions(
        schema, lanes, connections, newNotifications, waits, clock, migrations);
  }

  public PostgresOptions withPatience(Duration newPatience) {
    return withWaits(new WaitLimits(newPatience, waits.answerTimeout()));
  }

  public PostgresOptions withAnswerTimeout(Duration newTimeout) {
    return withWaits(new WaitLimits(waits.patience(), newTimeout));
  }

  private PostgresOptions withWaits(WaitLimits newWaits) {
    return new PostgresOptions(
        schema, lanes, connections, notifications, newWaits, clock, migrations);
  }

  /**
   * With a clock of the process's own in place of the server's, for tests. One that is moved by
   * hand needs {@link PostgresProvider#clockAdvanced}.
   */
  public PostgresOptions withClock(@Nullable InstantSource newClock) {
    return new PostgresOptions(
        schema, lanes, connections, notifications, waits, newClock, migrations);
  }

  /** With {@code VERIFY}, opening changes nothing, and the user needs no right to create. */
  public PostgresOptions withMigrations(MigrationMode newMode) {
    return new PostgresOptions(schema, lanes, connections, notifications, waits, clock, newMode);
  }
}
