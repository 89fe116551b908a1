package io.duroxide.proof.chaos;

import io.duroxide.proof.program.ProgramCode;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.runtime.SessionOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** With what options a node is born. */
public enum OptionSet {
  DEFAULTS,
  NO_CACHE,
  NO_CACHE_NO_STEPS,
  /** Caches, slots and steps of 1 or 2. */
  SMALL,
  SHORT_LOCKS,
  /** Takes work that it may not know. */
  UNFILTERED,
  /** SQLite: groups, queue and readers of 1. */
  NARROW_FILE,
  /** PostgreSQL: one lane, two connections, no notifications. */
  NARROW_SERVER;

  /** The build has no time for the default of half a minute. */
  static final Duration LOCK = Duration.ofSeconds(3);

  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration OPENING = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Kills count as attempts. */
  private static final int ATTEMPTS = 100;

  /** Where processors are short, code that waits for another thread waits for long. */
  private static final Duration BLOCKING = Duration.ofMinutes(1);

  private static final int CONNECTIONS = 4;

  static List<OptionSet> of(StoreKind store) {
    OptionSet other = store.isServer() ? NARROW_FILE : NARROW_SERVER;
    return Stream.of(values()).filter(set -> set != other).toList();
  }

  RuntimeOptions.Builder runtime(boolean trueLocks) {
    RuntimeOptions.Builder options = ProgramCode.options(RuntimeOptions.builder());
    options.maxAttempts(ATTEMPTS).shutdownTimeout(Duration.ofSeconds(5)).blockingLimit(BLOCKING);
    if (!trueLocks) {
      locks(options, LOCK);
    }
    return switch (this) {
      case DEFAULTS, NARROW_FILE, NARROW_SERVER -> options;
      case NO_CACHE -> options.cachedExecutions(0);
      case NO_CACHE_NO_STEPS -> options.cachedExecutions(0).localSteps(0);
      case SMALL ->
          options
              .cachedExecutions(2)
              .localSteps(1)
              .orchestrationConcurrency(1)
              .workerConcurrency(2);
      case SHORT_LOCKS -> locks(options, SHORT);
      case UNFILTERED -> options.fetchOnlyRegistered(false);
    };
  }

  private static RuntimeOptions.Builder locks(RuntimeOptions.Builder options, Duration length) {
    return options
        .orchestratorLockTimeout(length)
        .orchestratorLockRenewalBuffer(Duration.ofSeconds(1))
        .workerLockTimeout(length)
        .lockRenewalBuffer(Duration.ofSeconds(1))
        .sessions(new SessionOptions(length, HOUR, HOUR, 10));
  }

  /**
   * Opens a store, also while its server is away or a connection breaks.
   *
   * @param address a JDBC address, or a file
   */
  Provider open(String address) {
    long until = System.nanoTime() + OPENING.toNanos();
    while (true) {
      try {
        return tryToOpen(address);
      } catch (ProviderException e) {
        if (!e.retryable() || System.nanoTime() > until) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private Provider tryToOpen(String address) {
    if (!address.startsWith("jdbc:")) {
      SqliteOptions options = SqliteOptions.DEFAULT;
      return SqliteProvider.open(
          Path.of(address),
          this == NARROW_FILE ? options.withGroupSize(1).withQueueSize(1).withReaders(1) : options);
    }
    PostgresOptions options =
        PostgresOptions.DEFAULT
            .withConnections(CONNECTIONS)
            .withPatience(PATIENCE)
            .withAnswerTimeout(PATIENCE);
    return PostgresProvider.open(
        address,
        this == NARROW_SERVER
            ? options.withLanes(1).withConnections(2).withNotifications(false)
            : options);
  }
}
