package io.duroxide.provider.sqlite;

/**
 * What most commands must know of an instance; {@link Standing} is the rest.
 *
 * @param stage how much there is of it
 * @param place where it stands in its line
 * @param execution the id of its current execution; 0 before the first commit
 * @param lastEvent the newest event of that execution; 0 for none
 */
record InstanceRow(
    Ref ref, int stage, Place place, InstanceLock lock, long execution, long lastEvent) {
  /** It has messages or activities and nothing else. */
  static final int UNKNOWN = 0;

  /** It has executions, but no commit has named it. */
  static final int UNNAMED = 1;

  /** Clients see it. */
  static final int EXISTS = 2;

  /** Number and id. */
  record Ref(long key, String id) {}

  long key() {
    return ref.key();
  }

  String id() {
    return ref.id();
  }

  boolean isKnown() {
    return stage != UNKNOWN;
  }

  boolean exists() {
    return stage == EXISTS;
  }

  InstanceRow with(InstanceLock newLock) {
    return new InstanceRow(ref, stage, place, newLock, execution, lastEvent);
  }

  InstanceRow withStage(int newStage) {
    return new InstanceRow(ref, newStage, place, lock, execution, lastEvent);
  }

  InstanceRow withExecution(long newExecution, long newLastEvent) {
    return new InstanceRow(ref, stage, place, lock, newExecution, newLastEvent);
  }
}
