package io.duroxide.benchmarks;

import static io.duroxide.benchmarks.BareStore.update;

import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ExecutionKey;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * The rows of the same turns without a contract around them: one thread, prepared statements, one
 * transaction for the locks of a group, which does not wait for the disk, and one for its turns,
 * which does. Nothing is looked up or checked.
 */
final class BareTurns implements AutoCloseable {
  private final BareStore store;
  private final int group;
  private final PreparedStatement lock;
  private final PreparedStatement work;
  private final PreparedStatement remove;
  private final PreparedStatement message;
  private final PreparedStatement unlock;
  private final String events;
  private final String activity;
  private final String raised;
  private long turn;

  BareTurns(Path file, int group) throws SQLException {
    this.store = new BareStore(file);
    this.group = group;
    this.lock =
        store.prepare(
            "UPDATE duroxide_instance SET line = 3, slot_at = ?, lock_token = ?, locked_until = ?"
                + " WHERE key = ?");
    this.work =
        store.prepare(
            "INSERT INTO duroxide_work (instance, execution, activity, seq, line, slot, lane,"
                + " ready_line, payload) VALUES (?, 1, ?, ?, 1, ?, 1, 1, ?)");
    this.remove =
        store.prepare(
            "DELETE FROM duroxide_message WHERE instance = ? AND parked = 0 AND visible_at = ? AND"
                + " seq = ?");
    this.message =
        store.prepare(
            "INSERT INTO duroxide_message (instance, visible_at, seq, kind, created_at, payload)"
                + " VALUES (?, ?, ?, 0, ?, ?)");
    this.unlock =
        store.prepare(
            "UPDATE duroxide_instance SET line = 1, slot_at = ?, slot_seq = ?, lock_token = NULL,"
                + " locked_until = 0, last_event = ?, tail = ?, updated_at = ? WHERE key = ?");
    ExecutionKey execution = new ExecutionKey("order-1", 1);
    this.events =
        TurnRows.events(execution, 1).stream()
            .map(EventCodec::encode)
            .collect(Collectors.joining("\n"));
    this.activity = WorkItemCodec.encode(TurnRows.activity(execution, 4));
    this.raised = WorkItemCodec.encode(TurnRows.message(execution));
    createInstances();
  }

  private void createInstances() throws SQLException {
    store.begin();
    try (PreparedStatement insert =
        store.prepare(
            "INSERT INTO duroxide_instance (key, id, stage, line, execution, name, version, status)"
                + " VALUES (?, ?, 2, 1, 1, 'Order', '1.0.0', 'Running')")) {
      for (int key = 1; key <= group; key++) {
        update(insert, (long) key, "order-" + key);
        update(message, (long) key, 0L, (long) key, 0L, raised);
      }
    }
    store.commit();
  }

  Rate run(Duration duration) throws SQLException {
    long end = System.nanoTime() + duration.toNanos();
    Rate.Meter meter = new Rate.Meter();
    long turns = 0;
    long commitNanos = 0;
    while (System.nanoTime() < end) {
      store.waitForDisk(false);
      store.begin();
      for (long key = 1; key <= group; key++) {
        update(lock, turn, "turn:" + key + ":00000000-0000-0000-0000-000000000000", turn, key);
      }
      store.commit();
      store.waitForDisk(true);
      long began = System.nanoTime();
      store.begin();
      for (long key = 1; key <= group; key++) {
        writeTurn(key);
      }
      store.commit();
      commitNanos += System.nanoTime() - began;
      turn++;
      turns += group;
    }
    return meter.rate(turns, commitNanos);
  }

  private void writeTurn(long key) throws SQLException {
    long firstEvent = 2 + turn * TurnRows.EVENTS;
    long tail = store.append(key, firstEvent, firstEvent + TurnRows.EVENTS - 1, events);
    long seq = (turn + 1) * group + key;
    update(work, key, firstEvent + 2, seq, seq, activity);
    update(remove, key, turn, turn * group + key);
    update(message, key, turn + 1, seq, turn, raised);
    update(unlock, turn + 1, seq, firstEvent + 2, tail, turn, key);
  }

  @Override
  public void close() throws SQLException {
    store.close();
  }
}
