package io.duroxide.e2e;

import static org.awaitility.Awaitility.await;

import io.duroxide.client.Client;
import io.duroxide.client.Delivery;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.Durability;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A store with a clock of its own, the runtimes on it and a client; thrown away after the test.
 *
 * <p>Timers, locks, delays and backoffs follow the clock: nothing of that kind happens until {@link
 * #advance} moves it.
 */
final class World implements AutoCloseable {
  /** Longer than anything here takes on a busy machine. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** How long a look for work lasts; {@link #advance} may have to wait for its end. */
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Mode mode;
  private final Stillness stillness = new Stillness();
  private final TestClock clock = new TestClock();
  private InstantSource storeClock = clock;
  private final Path folder;
  private final List<DuroxideRuntime> runtimes = new ArrayList<>();
  private UnaryOperator<Provider> decoration = UnaryOperator.identity();
  private Provider store;
  private Provider undecorated;
  private Runnable clockAdvanced = () -> {};
  // Opens the store again; null for one that ends with its handle.
  private Runnable opening;
  private Runnable leaving = () -> {};

  private World(Mode mode, Path folder) {
    this.mode = mode;
    this.folder = folder;
  }

  /** The store that the system property {@code e2e.store} names: sqlite, memory or postgres. */
  static World open(Mode mode) {
    String name = System.getProperty("e2e.store", "sqlite");
    return switch (name) {
      case "sqlite" -> sqlite(mode);
      case "memory" -> memory(mode);
      case "postgres" -> postgres(mode);
      default -> throw new IllegalArgumentException("e2e.store: no store is called " + name);
    };
  }

  /** A SQLite file. */
  static World sqlite(Mode mode) {
    try {
      World world = new World(mode, Files.createTempDirectory("duroxide-e2e"));
      world.opening = world::openFile;
      world.leaving = world::deleteFolder;
      world.opening.run();
      return world;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SQLite without a file, for runs by the hundred. */
  static World sqliteInMemory(Mode mode) {
    World world = new World(mode, null);
    SqliteProvider sqlite = SqliteProvider.inMemory(SqliteOptions.DEFAULT.withClock(world.clock));
    world.store = sqlite;
    world.undecorated = sqlite;
    world.clockAdvanced = sqlite::clockAdvanced;
    return world;
  }

  /** A SQLite file on the real clock, for what depends on real time: the renewal of locks. */
  static World sqliteRealTime(Mode mode) {
    World world = sqlite(mode);
    world.store.close();
    world.storeClock = InstantSource.system();
    world.opening.run();
    return world;
  }

  /** The in-memory store. */
  static World memory(Mode mode) {
    World world = new World(mode, null);
    MemoryProvider memory = MemoryProvider.create(world.clock);
    world.store = memory;
    world.undecorated = memory;
    world.clockAdvanced = memory::clockAdvanced;
    return world;
  }

  /** A schema of a PostgreSQL server. */
  static World postgres(Mode mode) {
    World world = new World(mode, null);
    String schema = PostgresServer.takeSchema();
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(schema).withClock(world.clock);
    world.opening = () -> world.openSchema(options);
    world.leaving = () -> PostgresServer.giveBack(schema);
    world.opening.run();
    return world;
  }

  private void openSchema(PostgresOptions options) {
    PostgresProvider postgres =
        PostgresProvider.open(PostgresServer.url(options.schema()), options);
    store = decoration.apply(postgres);
    undecorated = postgres;
    clockAdvanced = postgres::clockAdvanced;
  }

  private void openFile() {
    SqliteProvider sqlite =
        SqliteProvider.open(
            folder.resolve("store.db"),
            SqliteOptions.DEFAULT.withDurability(Durability.NORMAL).withClock(storeClock));
    store = decoration.apply(sqlite);
    undecorated = sqlite;
    clockAdvanced = sqlite::clockAdvanced;
  }

  /** Puts something between the store and the runtimes started from now on. */
  void decorate(UnaryOperator<Provider> newDecoration) {
    store = newDecoration.apply(store);
    decoration = newDecoration;
  }

  Provider store() {
    return store;
  }

  /** The file of a SQLite store, for those who look or tamper behind its back. */
  Path file() {
    return folder.resolve("store.db");
  }

  Client client() {
    return Client.of(store);
  }

  /** A client that is not told that what it sends reaches nobody. */
  Client blindClient() {
    return client().withDelivery(Delivery.UNCHECKED);
  }

  Mode mode() {
    return mode;
  }

  TestClock clock() {
    return clock;
  }

  /**
   * Lets time pass for the store once nothing is in flight. What a stopped node had in hand stays
   * locked until its time is over.
   */
  void advance(Duration duration) {
    advanceHolding(0, duration);
  }

  /**
   * Lets time pass while nodes have so many turns and activities in hand and nothing else is in
   * flight. The test has seen that each of them reached a gate, and lets none of them pass.
   */
  void advanceHolding(int held, Duration duration) {
    stillness.pass(
        held,
        () -> undecorated.management().orElseThrow().queueDepths(),
        () -> {
          clock.advance(duration);
          clockAdvanced.run();
        });
  }

  /** Options of this world's mode, quick to notice work. */
  RuntimeOptions.Builder options() {
    return RuntimeOptions.builder()
        .cachedExecutions(mode.cachedExecutions())
        .minPollInterval(Duration.ofMillis(5))
        .longPollTimeout(LOOK);
  }

  /** Starts a runtime. */
  DuroxideRuntime start(Consumer<DuroxideRuntime.Builder> registrations) {
    return start(options(), registrations);
  }

  /** Starts a runtime with other options; begin with {@link #options()}. */
  DuroxideRuntime start(
      RuntimeOptions.Builder options, Consumer<DuroxideRuntime.Builder> registrations) {
    RuntimeOptions built = options.build();
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(stillness.join(store, built)).options(built);
    registrations.accept(builder);
    DuroxideRuntime runtime = builder.start();
    runtimes.add(runtime);
    return runtime;
  }

  /** Stops all runtimes, hard, and opens the store again; start runtimes anew afterwards. */
  void restart() {
    stopRuntimes();
    if (opening != null) {
      store.close();
      opening.run();
    }
  }

  /** Stops all runtimes, hard. */
  void stopRuntimes() {
    runtimes.forEach(runtime -> runtime.shutdown(Duration.ZERO));
    runtimes.clear();
  }

  /** Waits for an instance to end. */
  OrchestrationStatus end(String instance) {
    return client().waitForCompletion(instance, PATIENCE);
  }

  /** Waits for an instance to complete and gives its output as stored. */
  String output(String instance) {
    return switch (end(instance)) {
      case OrchestrationStatus.Completed completed -> completed.output();
      case OrchestrationStatus other -> throw new AssertionError(instance + " ended as " + other);
    };
  }

  /** Waits for an instance to fail and gives the text a client sees. */
  String failure(String instance) {
    return switch (end(instance)) {
      case OrchestrationStatus.Failed failed -> failed.details().displayMessage();
      case OrchestrationStatus other -> throw new AssertionError(instance + " ended as " + other);
    };
  }

  /** The events of the latest execution. */
  List<Event> history(String instance) {
    return store.read(instance);
  }

  /** The events of one execution. */
  List<Event> history(String instance, long executionId) {
    return store.readWithExecution(new ExecutionKey(instance, executionId));
  }

  /** The events of one kind in the latest execution. */
  <K extends EventKind> List<K> events(String instance, Class<K> kind) {
    return history(instance).stream()
        .map(Event::kind)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** Waits until an event of this kind is recorded in the latest execution. */
  void awaitEvent(String instance, Class<? extends EventKind> kind) {
    until(() -> !events(instance, kind).isEmpty());
  }

  /** Waits until something holds; fails if it does not in time. */
  void until(Callable<Boolean> condition) {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(condition);
  }

  @Override
  public void close() {
    stopRuntimes();
    Endings.check(undecorated);
    store.close();
    leaving.run();
  }

  private void deleteFolder() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
