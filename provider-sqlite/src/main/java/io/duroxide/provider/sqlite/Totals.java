package io.duroxide.provider.sqlite;

/**
 * How many rows more or less a transaction leaves, of the tables that are too large to be counted
 * whenever somebody asks. Written once for the whole group of commands, beside the last number, so
 * that no page is written for it. Confined to one connection.
 */
final class Totals {
  private long instances;
  private long executions;
  private long events;
  private long messages;

  void addInstances(long more) {
    instances += more;
  }

  void addExecutions(long more) {
    executions += more;
  }

  void addEvents(long more) {
    events += more;
  }

  void addMessages(long more) {
    messages += more;
  }

  /** The changes since the last {@link #clear}. */
  Change change() {
    return new Change(instances, executions, events, messages);
  }

  /** Goes back to what {@link #change} has returned before. */
  void restore(Change earlier) {
    instances = earlier.instances();
    executions = earlier.executions();
    events = earlier.events();
    messages = earlier.messages();
  }

  void clear() {
    restore(Change.NONE);
  }

  /** Rows more, or less if negative. */
  record Change(long instances, long executions, long events, long messages) {
    static final Change NONE = new Change(0, 0, 0, 0);
  }
}
