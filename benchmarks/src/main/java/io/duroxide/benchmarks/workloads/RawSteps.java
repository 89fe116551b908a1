package io.duroxide.benchmarks.workloads;

import static io.duroxide.benchmarks.BareStore.update;

import io.duroxide.benchmarks.BareStore;
import io.duroxide.benchmarks.TurnRows;
import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ExecutionKey;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * The rows of steps without an engine or a contract around them: one thread, prepared statements,
 * many steps in a transaction, nothing looked up or checked. The most that the SQLite store's
 * tables can take.
 */
final class RawSteps implements AutoCloseable {
  private final BareStore store;
  private final int group;
  private final PreparedStatement done;
  private final PreparedStatement work;
  private final PreparedStatement instance;
  private final String events;
  private final String activity;
  private long step;

  RawSteps(Path file, int group) throws SQLException {
    this.store = new BareStore(file);
    this.group = group;
    this.done =
        store.prepare(
            "DELETE FROM duroxide_work WHERE instance = ? AND execution = 1 AND activity = ? AND"
                + " seq = ?");
    this.work =
        store.prepare(
            "INSERT INTO duroxide_work (instance, execution, activity, seq, line, slot, lane,"
                + " ready_line, attempts, token, payload) VALUES (?, 1, ?, ?, 2, ?, 1, 1, 1, ?,"
                + " ?)");
    this.instance =
        store.prepare(
            "UPDATE duroxide_instance SET last_event = ?, tail = ?, updated_at = ? WHERE key = ?");
    ExecutionKey execution = new ExecutionKey("order-1", 1);
    this.events =
        TurnRows.events(execution, 1).stream()
            .limit(2)
            .map(EventCodec::encode)
            .collect(Collectors.joining("\n"));
    this.activity = WorkItemCodec.encode(TurnRows.activity(execution, 4));
    createInstances();
  }

  private void createInstances() throws SQLException {
    store.begin();
    try (PreparedStatement insert =
        store.prepare(
            "INSERT INTO duroxide_instance (key, id, stage, execution, name, version, status)"
                + " VALUES (?, ?, 2, 1, 'Order', '1.0.0', 'Running')")) {
      for (long key = 1; key <= group; key++) {
        update(insert, key, "order-" + key);
      }
    }
    store.commit();
  }

  /** Steps per second. */
  double run(Duration duration) throws SQLException {
    long began = System.nanoTime();
    long steps = 0;
    while (System.nanoTime() - began < duration.toNanos()) {
      store.begin();
      for (long key = 1; key <= group; key++) {
        write(key);
      }
      store.commit();
      step++;
      steps += group;
    }
    return steps * 1e9 / (System.nanoTime() - began);
  }

  /** How many steps there were so far. */
  long count() {
    return step * group;
  }

  private void write(long key) throws SQLException {
    long seq = step * group + key;
    update(done, key, 2 * step + 1, seq - group);
    long tail = store.append(key, 2 * step + 2, 2 * step + 3, events);
    update(
        work,
        key,
        2 * step + 3,
        seq,
        Long.MAX_VALUE - seq,
        "work:" + key + ":00000000-0000-0000-0000-000000000000",
        activity);
    update(instance, 2 * step + 3, tail, step, key);
  }

  @Override
  public void close() throws SQLException {
    store.close();
  }
}
