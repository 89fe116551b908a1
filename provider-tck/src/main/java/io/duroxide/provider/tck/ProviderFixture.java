package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.opentest4j.TestAbortedException;

/**
 * What the author of a provider supplies. Each test asks for a fixture of its own, creates one
 * store with it and closes both.
 *
 * <p>The hooks below {@link #features()} have no default behaviour: an entry that needs one which
 * is not overridden is skipped with a reason.
 */
public interface ProviderFixture extends AutoCloseable {

  /** A provider on a fresh, empty, isolated store. */
  Provider createProvider();

  /**
   * A provider on a fresh, empty store whose clock is {@code clock}, for the random comparison;
   * closed before the next is asked for.
   */
  default Provider createProvider(InstantSource clock) {
    throw missing("createProvider(clock)");
  }

  /** T: the lock timeout of tests that let a lock expire. */
  default Duration lockTimeout() {
    return Duration.ofSeconds(1);
  }

  /** How long an empty short poll may take; remote stores allow 500 ms. */
  default Duration shortPollThreshold() {
    return Duration.ofMillis(100);
  }

  /** Lets time pass on the store's clock; overridden where that clock is virtual. */
  default void advance(Duration duration) {
    SystemTime.sleep(duration);
  }

  /** How often a test that provokes a race repeats it. */
  default int rounds() {
    return 50;
  }

  /** What varies the timing of races; print it, and a run can be repeated. */
  default long seed() {
    return Long.getLong("duroxide.tck.seed", SystemTime.seed());
  }

  /** Which part of the catalog's numbers the entries about load run with; 1 for all. */
  default double loadShare() {
    return Double.parseDouble(System.getProperty("duroxide.tck.load", "0.01"));
  }

  /** Whether figures that miss the catalog's bounds are failures; else they are only reported. */
  default boolean enforcesThresholds() {
    return Boolean.getBoolean("duroxide.tck.thresholds");
  }

  /** What can be tested; a hook that is listed must be overridden. */
  default Set<Feature> features() {
    return Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Feature.SHORT_POLL)));
  }

  /** Another handle on the same store, ideally with its own connections. */
  default Provider secondHandle(Provider provider) {
    throw missing("secondHandle");
  }

  /** Closes the provider and opens a new one on the same data. */
  default Provider reopen(Provider provider) {
    throw missing("reopen");
  }

  /** Drops the provider as a killed process would and opens a new one on the same data. */
  default Provider kill(Provider provider) {
    throw missing("kill");
  }

  /** Damages the stored history of the current execution. */
  default void corruptHistory(String instance, HistoryDamage damage) {
    throw missing("corruptHistory");
  }

  /** Damages the oldest queued payload of the instance beyond decoding. */
  default void corruptMessage(String instance, QueueName queue) {
    throw missing("corruptMessage");
  }

  /**
   * From now on the history of the current execution does not fit into memory, or its rows fail.
   */
  default void makeUnloadable(String instance) {
    throw missing("makeUnloadable");
  }

  /** Damages the pin of the current execution beyond reading. */
  default void corruptPin(String instance) {
    throw missing("corruptPin");
  }

  /** Adds fields that no version knows to every stored event and queued payload. */
  default void addUnknownFields(String instance) {
    throw missing("addUnknownFields");
  }

  /** The largest stored attempt count of the instance's orchestrator messages; 0 for none. */
  default int maxAttemptCount(String instance) {
    throw missing("maxAttemptCount");
  }

  /** Sets the stored attempt count of the instance's orchestrator messages not yet visible. */
  default void setHiddenAttempts(String instance, int attempts) {
    throw missing("setHiddenAttempts");
  }

  /** Arms a fault that strikes the next operation of any handle. */
  default void fault(FaultPoint point, FaultKind kind) {
    throw missing("fault");
  }

  /** Disarms what is armed and makes the store reachable again. */
  default void heal() {
    throw missing("heal");
  }

  /** Another handle on the store, one of whose threads that change the store has ended. */
  default Provider handleWithEndedThread() {
    throw missing("handleWithEndedThread");
  }

  /** Sets the store's clock back, while nothing is under way. */
  default void setClockBack(Duration by) {
    throw missing("setClockBack");
  }

  /** Another transaction holds the row of an instance until the answer is run. */
  default Runnable holdRow(String instance) {
    throw missing("holdRow");
  }

  /** Shifts the clock of the node that {@code handle} belongs to. */
  default void skewClock(Provider handle, Duration shift) {
    throw missing("skewClock");
  }

  /** What a store has that nodes share over a network. */
  default ClusterHooks cluster() {
    throw missing("cluster");
  }

  /** Kills the channel through which waiting fetches of {@code handle} are woken. */
  default void cutNotifications(Provider handle) {
    throw missing("cutNotifications");
  }

  /** How often all handles together went to the store so far; statements sent as one count once. */
  default long roundTrips() {
    throw missing("roundTrips");
  }

  /** How many statements all handles together had run so far. */
  default long statements() {
    throw missing("statements");
  }

  /** What the store takes up. */
  default long storedBytes() {
    throw missing("storedBytes");
  }

  /** Removes the store; called once, after the provider was closed. */
  @Override
  default void close() {}

  private static TestAbortedException missing(String hook) {
    return new TestAbortedException("the fixture has no " + hook);
  }
}
