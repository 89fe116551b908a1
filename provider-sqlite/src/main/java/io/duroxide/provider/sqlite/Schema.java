package io.duroxide.provider.sqlite;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The tables, by version. A migration that was shipped is never edited.
 *
 * <p>Rows are narrow and stand where they are read: messages by instance in the order in which they
 * turn visible, activities by the orchestration that asked for them. Instances have numbers that
 * are never used again.
 *
 * <p>Events stand in the order of their arrival, those of a turn in one row: were they to stand by
 * execution, nearly every turn would find its page full and have its neighbours written with it. A
 * row names the one before it, and the newest one is named by the instance if the execution is the
 * current one, otherwise by the execution; {@code newest} has both, and what that row counts. So no
 * index has to be written, but for a milestone now and then, from which a part of a long history
 * can be read.
 *
 * <p>What can be fetched now and what can be fetched later are lines of one index, {@code line} and
 * {@code slot}: a fetch reads the head of a line, however many stand in the other. An instance that
 * merely has messages and nothing to give them meaning stands in no line.
 *
 * <p>All names begin with {@code duroxide_}, so that an application may keep tables of its own in
 * the file.
 */
final class Schema {
  static final List<Migration> MIGRATIONS = List.of(new Migration(1, "tables", tables()));

  private Schema() {}

  /**
   * @param statements run in order, in one transaction with all other missing migrations
   */
  record Migration(int version, String name, List<String> statements) {
    /** Tells these statements from others of the same version and name. */
    String mark() {
      CRC32 sum = new CRC32();
      statements.forEach(text -> sum.update(text.getBytes(StandardCharsets.UTF_8)));
      return name + " " + Long.toHexString(sum.getValue());
    }
  }

  static int newestVersion() {
    return MIGRATIONS.getLast().version();
  }

  private static List<String> tables() {
    return Stream.of(bookkeeping(), instances(), records(), messages(), work(), values())
        .flatMap(List::stream)
        .toList();
  }

  private static List<String> bookkeeping() {
    return List.of(
        """
        CREATE TABLE duroxide_migration (
          version INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          applied_at INTEGER NOT NULL)
        """,
        // seq: no message, activity, instance or lane has a larger number.
        // vacant: how many numbers up to the largest of history no event has.
        // clock_limit: no later time was used. clock_steps, clock_back: how often the clock was
        // set back, and by how much last.
        // The others: how many rows there are; of instances, those that exist.
        """
        CREATE TABLE duroxide_counter (
          key INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL DEFAULT 0,
          instances INTEGER NOT NULL DEFAULT 0,
          executions INTEGER NOT NULL DEFAULT 0,
          vacant INTEGER NOT NULL DEFAULT 0,
          messages INTEGER NOT NULL DEFAULT 0,
          clock_limit INTEGER NOT NULL DEFAULT 0,
          clock_steps INTEGER NOT NULL DEFAULT 0,
          clock_back INTEGER NOT NULL DEFAULT 0)
        """,
        "INSERT INTO duroxide_counter (key) VALUES (1)",
        """
        CREATE TABLE duroxide_node (
          id TEXT PRIMARY KEY,
          until INTEGER NOT NULL,
          offer TEXT NOT NULL) WITHOUT ROWID
        """);
  }

  private static List<String> instances() {
    return List.of(
        // stage: 0 has messages or activities only, 1 has executions, 2 is named and so exists.
        // line: null none, 1 ready by oldest message, 2 sleeping by the instant that changes it,
        // 3 the same for those that are locked or rest.
        // lock_token: also says which messages its holder was given; behind # by how much the clock
        // was set back since.
        // execution and what follows: the current execution, repeated here for the fetch.
        // mailboxes: how much of its queues may be delivered; null before a commit has told.
        // has_parked: whether it may have messages that have no room.
        """
        CREATE TABLE duroxide_instance (
          key INTEGER PRIMARY KEY,
          id TEXT NOT NULL,
          stage INTEGER NOT NULL DEFAULT 0,
          line INTEGER,
          slot_at INTEGER NOT NULL DEFAULT 0,
          slot_seq INTEGER NOT NULL DEFAULT 0,
          lock_token TEXT,
          locked_until INTEGER NOT NULL DEFAULT 0,
          execution INTEGER NOT NULL DEFAULT 0,
          last_event INTEGER NOT NULL DEFAULT 0,
          tail INTEGER NOT NULL DEFAULT 0,
          pin TEXT,
          has_values INTEGER NOT NULL DEFAULT 0,
          updated_at INTEGER NOT NULL DEFAULT 0,
          name TEXT,
          version TEXT,
          status TEXT,
          completed_at INTEGER,
          parent TEXT,
          parent_execution INTEGER,
          parent_event INTEGER,
          created_at INTEGER NOT NULL DEFAULT 0,
          mailboxes TEXT,
          has_parked INTEGER NOT NULL DEFAULT 0)
        """,
        "CREATE UNIQUE INDEX duroxide_instance_id ON duroxide_instance (id)",
        "CREATE INDEX duroxide_instance_line ON duroxide_instance (line, slot_at, slot_seq) WHERE"
            + " line IS NOT NULL",
        "CREATE INDEX duroxide_instance_created ON duroxide_instance (created_at DESC, id) WHERE"
            + " stage = 2",
        """
        CREATE INDEX duroxide_instance_listed ON duroxide_instance (name, status, created_at DESC, id)
          WHERE stage = 2
        """,
        """
        CREATE INDEX duroxide_instance_completed ON duroxide_instance (completed_at, id)
          WHERE completed_at IS NOT NULL
        """,
        "CREATE INDEX duroxide_instance_parent ON duroxide_instance (parent) WHERE parent IS NOT"
            + " NULL");
  }

  private static List<String> records() {
    return List.of(
        """
        CREATE TABLE duroxide_execution (
          instance INTEGER NOT NULL,
          id INTEGER NOT NULL,
          status TEXT NOT NULL,
          started_at INTEGER NOT NULL,
          completed_at INTEGER,
          pin TEXT,
          carried INTEGER,
          version TEXT,
          tail INTEGER NOT NULL DEFAULT 0,
          output TEXT,
          PRIMARY KEY (instance, id)) WITHOUT ROWID
        """,
        // key: the number of its last event, as all events are numbered. prior: the row before it
        // in its execution. events, bytes: how many there are up to here. milestone: its last
        // event, in a row now and then. data: its events, one in each line.
        """
        CREATE TABLE duroxide_history (
          key INTEGER PRIMARY KEY,
          prior INTEGER NOT NULL,
          instance INTEGER NOT NULL,
          execution INTEGER NOT NULL,
          first_event INTEGER NOT NULL,
          last_event INTEGER NOT NULL,
          events INTEGER NOT NULL,
          bytes INTEGER NOT NULL,
          milestone INTEGER,
          data TEXT NOT NULL)
        """,
        """
        CREATE INDEX duroxide_history_milestone ON duroxide_history (instance, execution, milestone)
          WHERE milestone IS NOT NULL
        """,
        """
        CREATE VIEW duroxide_newest (instance, execution, tail, last_event, events, bytes) AS
          SELECT e.instance, e.id, CASE WHEN i.execution = e.id THEN i.tail ELSE e.tail END,
            h.last_event, h.events, h.bytes
          FROM duroxide_execution e JOIN duroxide_instance i ON i.key = e.instance
          LEFT JOIN duroxide_history h ON h.instance = e.instance AND h.execution = e.id
            AND h.key = CASE WHEN i.execution = e.id THEN i.tail ELSE e.tail END
        """);
  }

  private static List<String> messages() {
    return List.of(
        // kind: 0 other, 1 queue message, 2 start, 3 continue as new, 4 timer, 5 cancel.
        // name: of starts and timers, of a queue message its queue; version: of starts.
        // parked: 1 if its queue has no room for it, so that nobody looks at it meanwhile.
        """
        CREATE TABLE duroxide_message (
          instance INTEGER NOT NULL,
          parked INTEGER NOT NULL DEFAULT 0,
          visible_at INTEGER NOT NULL,
          seq INTEGER NOT NULL,
          kind INTEGER NOT NULL,
          attempts INTEGER NOT NULL DEFAULT 0,
          created_at INTEGER NOT NULL,
          parent TEXT,
          name TEXT,
          version TEXT,
          payload TEXT NOT NULL,
          PRIMARY KEY (instance, parked, visible_at, seq)) WITHOUT ROWID
        """,
        "CREATE INDEX duroxide_message_parent ON duroxide_message (parent) WHERE parent IS NOT"
            + " NULL",
        "CREATE INDEX duroxide_message_timer ON duroxide_message (instance, name) WHERE kind = 4",
        """
        CREATE INDEX duroxide_message_parked ON duroxide_message (instance, name, seq)
          WHERE parked = 1
        """);
  }

  private static List<String> work() {
    return List.of(
        // line: 1 ready, by lane; 3 ready and bound to a session, by lane; 2 sleeping, by instant.
        """
        CREATE TABLE duroxide_work (
          instance INTEGER NOT NULL,
          execution INTEGER NOT NULL,
          activity INTEGER NOT NULL,
          seq INTEGER NOT NULL,
          line INTEGER NOT NULL,
          slot INTEGER NOT NULL,
          lane INTEGER NOT NULL,
          ready_line INTEGER NOT NULL,
          attempts INTEGER NOT NULL DEFAULT 0,
          token TEXT,
          payload TEXT NOT NULL,
          PRIMARY KEY (instance, execution, activity, seq)) WITHOUT ROWID
        """,
        "CREATE INDEX duroxide_work_line ON duroxide_work (line, slot, seq)",
        """
        CREATE TABLE duroxide_lane (
          key INTEGER PRIMARY KEY,
          activity TEXT NOT NULL,
          tag TEXT,
          session TEXT)
        """,
        "CREATE INDEX duroxide_lane_route ON duroxide_lane (activity, tag, session)",
        """
        CREATE TABLE duroxide_session (
          id TEXT PRIMARY KEY,
          owner TEXT NOT NULL,
          locked_until INTEGER NOT NULL,
          used_at INTEGER NOT NULL) WITHOUT ROWID
        """,
        "CREATE INDEX duroxide_session_owner ON duroxide_session (owner)");
  }

  private static List<String> values() {
    return List.of(
        """
        CREATE TABLE duroxide_kv_base (
          instance INTEGER NOT NULL,
          key TEXT NOT NULL,
          updated_at INTEGER NOT NULL,
          value TEXT NOT NULL,
          PRIMARY KEY (instance, key)) WITHOUT ROWID
        """,
        // A null value is a tombstone.
        """
        CREATE TABLE duroxide_kv_delta (
          instance INTEGER NOT NULL,
          key TEXT NOT NULL,
          updated_at INTEGER NOT NULL,
          value TEXT,
          PRIMARY KEY (instance, key)) WITHOUT ROWID
        """,
        """
        CREATE TABLE duroxide_custom_status (
          instance INTEGER PRIMARY KEY,
          version INTEGER NOT NULL,
          status TEXT)
        """);
  }
}
