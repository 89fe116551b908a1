package io.duroxide.provider.sqlite;

import io.duroxide.provider.Provider;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import io.duroxide.provider.tck.Feature;
import io.duroxide.provider.tck.HistoryDamage;
import io.duroxide.provider.tck.JdbcShortage;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** The provider on a file, with a clock that stands still until a test moves it. */
final class FileFixture implements ProviderFixture {
  /** No test here cuts the power, so no commit has to wait for the disk. */
  private static final SqliteOptions OPTIONS =
      SqliteOptions.DEFAULT.withDurability(Durability.NORMAL).withReaders(2);

  private final Folder folder = Folder.create();
  private final TestClock clock = new TestClock();
  private final Surgery surgery = new Surgery(folder.file());
  private final FaultyConnections connections =
      new FaultyConnections(Connections.toFile(folder.file(), OPTIONS));
  private final List<SqliteProvider> handles = new ArrayList<>();

  @Override
  public Provider createProvider() {
    return open();
  }

  private SqliteProvider open() {
    SqliteProvider handle =
        new SqliteProvider(new Database(folder.file(), OPTIONS.withClock(clock), connections));
    handles.add(handle);
    return handle;
  }

  @Override
  public void setClockBack(Duration by) {
    advance(by.negated());
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LONG_POLL,
        Feature.MANAGEMENT,
        Feature.NEW_STARTS,
        Feature.CHECKED_SENDS,
        Feature.WITHDRAWN_TIMERS,
        Feature.WINDOWS,
        Feature.ORPHAN_PURGE,
        Feature.CLOCK_STEP,
        Feature.DROP_COUNT,
        Feature.TWO_HANDLES,
        Feature.DURABLE,
        Feature.DAMAGE,
        Feature.UNLOADABLE,
        Feature.UNKNOWN_FIELDS,
        Feature.ATTEMPTS,
        Feature.FAULTS,
        Feature.ERRORS,
        Feature.THREADS,
        Feature.KILL,
        Feature.METERS);
  }

  @Override
  public void advance(Duration duration) {
    clock.advance(duration);
    handles.forEach(SqliteProvider::clockAdvanced);
  }

  @Override
  public Provider secondHandle(Provider provider) {
    return open();
  }

  @Override
  public Provider reopen(Provider provider) {
    provider.close();
    return open();
  }

  /** The old handle never gets the chance to tidy up; a child process is killed elsewhere. */
  @Override
  public Provider kill(Provider provider) {
    return open();
  }

  @Override
  public void fault(FaultPoint point, FaultKind kind) {
    connections.arm(point, kind);
  }

  @Override
  public void heal() {
    connections.heal();
  }

  /** The writer's thread meets an error, and another one when it wants to wait for a moment. */
  @Override
  public Provider handleWithEndedThread() {
    Shortage shortage = new Shortage();
    StoreThreads threads =
        new StoreThreads(
            "duroxide-sqlite",
            "ending",
            LoggerFactory.getLogger(FileFixture.class),
            any -> {
              throw new OutOfMemoryError("made to end");
            });
    SqliteProvider handle =
        new SqliteProvider(
            new Database(folder.file(), OPTIONS.withClock(clock), shortage.on(connections)),
            threads);
    handles.add(handle);
    try {
      HeldWriter held = HeldWriter.hold(handle, shortage);
      FutureTask<Integer> waiting =
          HeldWriter.queued(() -> handle.purgeOrphanMessages(Duration.ofDays(1)));
      shortage.arm(
          0,
          JdbcShortage.When.BEFORE,
          thread -> thread.getName().startsWith("duroxide-sqlite-writer"));
      held.release().get();
      Awaitility.await().until(waiting::isDone);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
    Awaitility.await().until(() -> !handle.health().failures().isEmpty());
    return handle;
  }

  private static final String ROWS =
      """
      SELECT group_concat(h.key, ' ' ORDER BY h.key) FROM duroxide_history h JOIN duroxide_instance i
        ON i.key = h.instance AND i.execution = h.execution WHERE i.id = ?
      """;

  private static final String LINES =
      """
      SELECT data FROM duroxide_history WHERE key = ?
      """;

  private static final String WRITE_LINES =
      """
      UPDATE duroxide_history SET data = ? WHERE key = ?
      """;

  @Override
  public void corruptHistory(String instance, HistoryDamage damage) {
    switch (damage) {
      case NOT_PARSEABLE -> writeEvent(instance, "{\"type\": ", 0);
      case WRONG_SHAPE -> writeEvent(instance, "{\"a\": 1}", 0);
      case UNKNOWN_KIND -> writeEvent(instance, "{\"type\": \"Nobody\"}", 0);
      case ONE_OF_MANY -> writeEvent(instance, "{]", 0.5);
    }
  }

  /** Writes over the event that stands there, from 0 for the first. */
  private void writeEvent(String instance, String data, double where) {
    List<String> rows = List.of(surgery.text(ROWS, instance).split(" "));
    List<String> events = rows.stream().flatMap(row -> surgery.text(LINES, row).lines()).toList();
    int left = (int) (events.size() * where);
    for (String row : rows) {
      List<String> lines = new ArrayList<>(surgery.text(LINES, row).lines().toList());
      if (left < lines.size()) {
        lines.set(left, data);
        surgery.update(WRITE_LINES, String.join("\n", lines), row);
        return;
      }
      left -= lines.size();
    }
  }

  @Override
  public void corruptMessage(String instance, QueueName queue) {
    switch (queue) {
      case ORCHESTRATOR ->
          surgery.update(
              """
              UPDATE duroxide_message SET payload = '{' WHERE seq = (SELECT min(m.seq) FROM duroxide_message m
                JOIN duroxide_instance i ON i.key = m.instance WHERE i.id = ?)
              """,
              instance);
      case WORKER ->
          surgery.update(
              """
              UPDATE duroxide_work SET payload = '{' WHERE seq = (SELECT min(w.seq) FROM duroxide_work w
                JOIN duroxide_instance i ON i.key = w.instance WHERE i.id = ?)
              """,
              instance);
    }
  }

  @Override
  public void makeUnloadable(String instance) {
    connections.makeUnloadable(instance);
  }

  @Override
  public void corruptPin(String instance) {
    surgery.update("UPDATE duroxide_instance SET pin = '0.garbage' WHERE id = ?", instance);
    surgery.update(
        """
        UPDATE duroxide_execution SET pin = '0.garbage' WHERE (instance, id) =
          (SELECT key, execution FROM duroxide_instance WHERE id = ?)
        """,
        instance);
  }

  @Override
  public void addUnknownFields(String instance) {
    surgery.update(
        """
        UPDATE duroxide_history SET
          data = '{"new_field": [1, {}], ' || substr(replace(data, char(10) || '{', char(10) ||
            '{"new_field": [1, {}], '), 2)
        """);
    surgery.update(
        "UPDATE duroxide_message SET payload = '{\"new_field\": [1, {}], ' || substr(payload, 2)");
    surgery.update(
        "UPDATE duroxide_work SET payload = '{\"new_field\": [1, {}], ' || substr(payload, 2)");
  }

  /** The attempt of a lock that is held is counted on its messages when it is given up. */
  @Override
  public int maxAttemptCount(String instance) {
    String token = surgery.text("SELECT lock_token FROM duroxide_instance WHERE id = ?", instance);
    Batch held = token == null ? Batch.whole(0, Long.MIN_VALUE, 0) : Tokens.batch(token);
    return (int)
        surgery.number(
            """
            SELECT coalesce(max(m.attempts + (m.visible_at <= ? AND m.seq <= ?)), 0)
            FROM duroxide_message m JOIN duroxide_instance i ON i.key = m.instance WHERE i.id = ?
            """,
            held.at(),
            held.seq(),
            instance);
  }

  @Override
  public void setHiddenAttempts(String instance, int attempts) {
    surgery.update(
        """
        UPDATE duroxide_message SET attempts = ? WHERE visible_at > ?
          AND instance = (SELECT key FROM duroxide_instance WHERE id = ?)
        """,
        attempts,
        clock.instant().toEpochMilli(),
        instance);
  }

  /** Going to the file is beginning a transaction on it. */
  @Override
  public long roundTrips() {
    return connections.transactions();
  }

  @Override
  public long statements() {
    return connections.statements();
  }

  @Override
  public long storedBytes() {
    return surgery.number("PRAGMA page_count") * surgery.number("PRAGMA page_size");
  }

  @Override
  public void close() {
    handles.forEach(SqliteProvider::close);
    folder.close();
  }
}
