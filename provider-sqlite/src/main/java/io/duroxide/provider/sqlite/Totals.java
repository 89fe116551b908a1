package io.duroxide.provider.sqlite;

/**
 * How many rows more or less a transaction leaves, of the tables that are too large to be counted
 * whenever somebody asks. Written once for the whole group of commands, if there is a difference at
 * all. Events are not counted as they come: they are numbered, and only the numbers that become
 * vacant are. Confined to one connection.
 */
final class Totals {
  private long instances;
  private long executions;
  private long vacant;
  private long messages;

  void addInstances(long more) {
    instances += more;
  }

  void addExecutions(long more) {
    executions += more;
  }

  void addVacant(long more) {
    vacant += more;
  }

  void addMessages(long more) {
    messages += more;
  }

  /** The changes since the last {@link #clear}. */
  Change change() {
    return new Change(instances, executions, vacant, messages);
  }

  /** Goes back to what {@link #change} has returned before. */
  void restore(Change earlier) {
    instances = earlier.instances();
    executions = earlier.executions();
    vacant = earlier.vacant();
    messages = earlier.messages();
  }

  void clear() {
    restore(Change.NONE);
  }

  /** Rows more, or less if negative. */
  record Change(long instances, long executions, long vacant, long messages) {
    static final Change NONE = new Change(0, 0, 0, 0);
  }
}
