package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.tck.ClusterHooks;
import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import io.duroxide.provider.tck.Feature;
import io.duroxide.provider.tck.HistoryDamage;
import io.duroxide.provider.tck.JdbcShortage;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.QueueName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/**
 * The provider on a schema that no other test uses now. Unless it is about the server's clock, a
 * clock stands still until a test moves it.
 */
final class PostgresFixture implements ProviderFixture {
  private static final int CONNECTIONS = 4;

  private final Premises premises;
  private final String schema;
  private final Surgery surgery;
  private final TestClock clock = new TestClock();
  private final boolean onServerClock;
  private final PostgresOptions options;
  private final FaultySource source;
  private final List<Handle> handles = new ArrayList<>();
  // Whether the schema or its connections were tampered with.
  private boolean spoiled;

  /**
   * A provider with what a test may do to it.
   *
   * @param dead set once the node is cut off for good
   */
  private record Handle(PostgresProvider provider, AtomicLong skew, AtomicBoolean dead) {}

  private PostgresFixture(Premises premises, boolean onServerClock, Duration patience) {
    this.premises = premises;
    this.schema = premises.schema();
    this.surgery = new Surgery(schema);
    this.source = new FaultySource(premises.pool());
    this.onServerClock = onServerClock;
    this.options =
        PostgresOptions.DEFAULT
            .withSchema(schema)
            .withConnections(CONNECTIONS)
            .withPatience(patience)
            .withClock(onServerClock ? null : clock);
  }

  static PostgresFixture create() {
    return new PostgresFixture(Premises.take(), false, Duration.ofSeconds(10));
  }

  /** A step that comes alone is committed as if it were one of several. */
  static PostgresFixture withGroupedSteps() {
    PostgresFixture fixture = onNewSchema();
    fixture.createProvider().close();
    commitTogether(fixture.surgery);
    fixture.spoiled = true;
    return fixture;
  }

  private static final String TOGETHER =
      """
      BEGIN
        RETURN (SELECT m FROM @.commit_many(p_now, p_node, p_again, jsonb_build_array(p_turn)) m);
      """;

  /** Every turn is committed as if others came with it. */
  static void commitTogether(Surgery surgery) {
    surgery.alter("commit_one", "BEGIN\n", TOGETHER);
  }

  /** Nobody was here before, for what measures. */
  static PostgresFixture onNewSchema() {
    return new PostgresFixture(Premises.build(), false, Duration.ofSeconds(10));
  }

  /** Time passes by itself. */
  static PostgresFixture onServerClock() {
    return new PostgresFixture(Premises.take(), true, Duration.ofSeconds(10));
  }

  /** Operations give up soon when the server is away. */
  static PostgresFixture impatient() {
    return new PostgresFixture(Premises.take(), false, Duration.ofMillis(60));
  }

  @Override
  public Provider createProvider() {
    return open(options);
  }

  private PostgresProvider open(PostgresOptions newOptions) {
    AtomicLong skew = new AtomicLong();
    AtomicBoolean dead = new AtomicBoolean();
    PostgresProvider provider =
        PostgresProvider.open(
            source.asSource(dead), newOptions, () -> System.nanoTime() + skew.get());
    handles.add(new Handle(provider, skew, dead));
    return provider;
  }

  private Handle handle(Provider provider) {
    return handles.stream()
        .filter(handle -> handle.provider().equals(provider))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.complementOf(EnumSet.of(Feature.SHORT_POLL));
  }

  @Override
  public void advance(Duration duration) {
    if (onServerClock) {
      ProviderFixture.super.advance(duration);
    } else {
      clock.advance(duration);
      handles.forEach(handle -> handle.provider().clockAdvanced());
    }
  }

  @Override
  public void setClockBack(Duration by) {
    advance(by.negated());
  }

  private static final String HOLD =
      """
      SELECT FROM @.instance WHERE id = ? FOR UPDATE
      """;

  @Override
  public Runnable holdRow(String instance) {
    try {
      Connection connection = Server.connect();
      connection.setAutoCommit(false);
      try (PreparedStatement hold = connection.prepareStatement(Schema.named(schema).in(HOLD))) {
        hold.setString(1, instance);
        hold.execute();
      }
      return () -> release(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void release(Connection connection) {
    try (connection) {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Duration shortPollThreshold() {
    return Duration.ofMillis(500);
  }

  @Override
  public int rounds() {
    return 20;
  }

  @Override
  public Provider secondHandle(Provider provider) {
    return open(options);
  }

  @Override
  public Provider reopen(Provider provider) {
    provider.close();
    return open(options);
  }

  /** The old handle is cut off in the middle of what it does. */
  @Override
  public Provider kill(Provider provider) {
    spoiled = true;
    handle(provider).dead().set(true);
    return open(options);
  }

  @Override
  public void skewClock(Provider handle, Duration shift) {
    handle(handle).skew().set(shift.toNanos());
  }

  /** Ends the connection that listens, once there is one. */
  @Override
  public void cutNotifications(Provider handle) {
    spoiled = true;
    PostgresProvider provider = handle(handle).provider();
    provider.listen();
    Awaitility.await().until(() -> provider.listeningBackend() != 0);
    surgery.text("SELECT pg_terminate_backend(" + backend(provider) + ")::text");
  }

  private static int backend(PostgresProvider provider) {
    try {
      return provider.listeningBackend();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The lane meets an error, and another one when it wants to wait for a moment. */
  @Override
  public Provider handleWithEndedThread() {
    JdbcShortage shortage = new JdbcShortage(JdbcShortage.Scope.STATEMENTS);
    StoreThreads threads =
        new StoreThreads(
            "duroxide-postgres",
            "ending",
            LoggerFactory.getLogger(PostgresFixture.class),
            any -> {
              throw new OutOfMemoryError("made to end");
            });
    PostgresProvider provider =
        PostgresProvider.open(
            shortage.on(premises.pool()), options.withLanes(1), System::nanoTime, threads);
    handles.add(new Handle(provider, new AtomicLong(), new AtomicBoolean()));
    shortage.arm(
        0,
        JdbcShortage.When.BEFORE,
        thread -> thread.getName().startsWith("duroxide-postgres-lane"));
    WorkItem start = new WorkItem.StartOrchestration("ending", "Order", "{}", "1.0.0", null);
    assertThatThrownBy(() -> provider.enqueueForOrchestrator(start, Duration.ZERO))
        .hasMessageContaining("OutOfMemoryError");
    Awaitility.await().until(() -> !provider.health().failures().isEmpty());
    return provider;
  }

  @Override
  public void fault(FaultPoint point, FaultKind kind) {
    spoiled = true;
    source.arm(point, kind);
  }

  @Override
  public void heal() {
    source.heal();
  }

  @Override
  public long roundTrips() {
    return source.trips();
  }

  @Override
  public long statements() {
    return source.statements();
  }

  private static final String TABLES =
      """
      SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables
      WHERE schemaname = ?
      """;

  private static final String SIZE =
      """
      SELECT sum(pg_total_relation_size(c.oid))::bigint
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ? AND c.relkind = 'r'
      """;

  /** After what the server does by itself; what the first round empties the second gives back. */
  @Override
  public long storedBytes() {
    surgery.update("VACUUM " + surgery.text(TABLES, schema));
    surgery.update("VACUUM " + surgery.text(TABLES, schema));
    return surgery.number(SIZE, schema);
  }

  private static final String EVENT =
      """
      UPDATE @.history SET data = ? WHERE (instance, execution, event) =
        (SELECT h.instance, h.execution, h.event FROM @.history h JOIN @.instance i
           ON i.key = h.instance AND i.execution = h.execution
         WHERE i.id = ? ORDER BY h.event LIMIT 1 OFFSET ?)
      """;

  private static final String EVENTS =
      """
      SELECT count(*) FROM @.history h JOIN @.instance i
        ON i.key = h.instance AND i.execution = h.execution WHERE i.id = ?
      """;

  @Override
  public void corruptHistory(String instance, HistoryDamage damage) {
    long middle = surgery.number(EVENTS, instance) / 2;
    switch (damage) {
      case NOT_PARSEABLE -> surgery.update(EVENT, "{\"type\": ", instance, 0);
      case WRONG_SHAPE -> surgery.update(EVENT, "{\"a\": 1}", instance, 0);
      case UNKNOWN_KIND -> surgery.update(EVENT, "{\"type\": \"Nobody\"}", instance, 0);
      case ONE_OF_MANY -> surgery.update(EVENT, "{]", instance, middle);
    }
  }

  @Override
  public void corruptMessage(String instance, QueueName queue) {
    switch (queue) {
      case ORCHESTRATOR ->
          surgery.update(
              """
              UPDATE @.message SET payload = '{' WHERE seq = (SELECT min(m.seq) FROM @.message m
                JOIN @.instance i ON i.key = m.instance WHERE i.id = ?)
              """,
              instance);
      case WORKER ->
          surgery.update(
              """
              UPDATE @.work SET payload = '{' WHERE seq = (SELECT min(w.seq) FROM @.work w
                JOIN @.instance i ON i.key = w.instance WHERE i.id = ?)
              """,
              instance);
    }
  }

  @Override
  public void makeUnloadable(String instance) {
    source.makeUnloadable(instance);
  }

  @Override
  public void corruptPin(String instance) {
    surgery.update("UPDATE @.instance SET pin = '0.garbage' WHERE id = ?", instance);
    surgery.update(
        """
        UPDATE @.execution SET pin = '0.garbage' WHERE (instance, id) =
          (SELECT key, execution FROM @.instance WHERE id = ?)
        """,
        instance);
  }

  @Override
  public void addUnknownFields(String instance) {
    surgery.update("UPDATE @.history SET data = '{\"new_field\": [1, {}], ' || substr(data, 2)");
    surgery.update(
        "UPDATE @.message SET payload = '{\"new_field\": [1, {}], ' || substr(payload, 2)");
    surgery.update("UPDATE @.work SET payload = '{\"new_field\": [1, {}], ' || substr(payload, 2)");
  }

  /** The attempt of a lock that is held is counted on its messages when it is given up. */
  @Override
  public int maxAttemptCount(String instance) {
    return (int)
        surgery.number(
            """
            SELECT coalesce(max(m.attempts
              + CASE WHEN i.lock_token IS NOT NULL AND m.seq = ANY (i.batch) THEN 1 ELSE 0 END), 0)
            FROM @.message m JOIN @.instance i ON i.key = m.instance WHERE i.id = ?
            """,
            instance);
  }

  @Override
  public void setHiddenAttempts(String instance, int attempts) {
    surgery.update(
        """
        UPDATE @.message SET attempts = ? WHERE visible_at > ?
          AND instance = (SELECT key FROM @.instance WHERE id = ?)
        """,
        attempts,
        clock.instant().toEpochMilli(),
        instance);
  }

  @Override
  public ClusterHooks cluster() {
    return new Hooks();
  }

  private final class Hooks implements ClusterHooks {
    @Override
    public String newNamespace() {
      return Server.newSchema();
    }

    @Override
    public Provider open(String namespace) {
      return PostgresFixture.this.open(options.withSchema(namespace));
    }

    @Override
    public Provider openSmall() {
      return PostgresProvider.open(
          Server.url() + "&ApplicationName=" + schema,
          options.withConnections(2).withNotifications(false));
    }

    /** Also changes a table, so that no plan that was made for it can be used again. */
    @Override
    public void replaceRoutines() {
      spoiled = true;
      surgery.update(
          "ALTER TABLE @.instance ADD COLUMN IF NOT EXISTS spare"
              + System.nanoTime()
              + " text COLLATE \"C\"");
      SchemaScript.functions().forEach(script -> surgery.run(script.text()));
    }

    @Override
    public void migrateFurther() {
      spoiled = true;
      surgery.update("ALTER TABLE @.message ADD COLUMN priority integer NOT NULL DEFAULT 0");
      surgery.update("CREATE TABLE @.something_new (id bigint PRIMARY KEY)");
      surgery.update(
          "INSERT INTO @.migration (version, name, checksum, applied_at) VALUES (999, 'next', 'x',"
              + " 0)");
    }

    @Override
    public void tamperWithMigrations(String namespace) {
      spoiled = true;
      new Surgery(namespace).update("UPDATE @.migration SET checksum = 'other' WHERE version = 1");
    }

    @Override
    public void endConnections() {
      spoiled = true;
      surgery.text(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name ="
              + " ?",
          schema);
    }

    @Override
    public AutoCloseable longTransaction() {
      try {
        Connection connection = Server.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
          statement.execute("CREATE TABLE public.unrelated_" + schema + " (id integer)");
          statement.execute("SELECT count(*) FROM pg_class");
        }
        return connection;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    handles.forEach(handle -> handle.provider().close());
    if (spoiled) {
      premises.leave();
    } else {
      premises.giveBack();
    }
  }
}
