package io.duroxide.provider.sqlite;

/**
 * What is known of an instance.
 *
 * @param stage how much there is of it
 * @param slot where it stands
 * @param execution the id of its current execution; 0 before the first commit
 * @param tail the end of that execution's history
 * @param standing what few turns change
 */
record InstanceRow(
    Ref ref,
    int stage,
    Slot slot,
    InstanceLock lock,
    long execution,
    Tail tail,
    Standing standing) {
  /** It has messages or activities and nothing else. */
  static final int UNKNOWN = 0;

  /** It has executions, but no commit has named it. */
  static final int UNNAMED = 1;

  /** Clients see it. */
  static final int EXISTS = 2;

  /** One that nothing is known of. */
  static InstanceRow unknown(Ref ref, Slot slot) {
    return new InstanceRow(ref, UNKNOWN, slot, InstanceLock.NONE, 0, Tail.NONE, Standing.NONE);
  }

  /** Number and id. */
  record Ref(long key, String id) {}

  long key() {
    return ref.key();
  }

  String id() {
    return ref.id();
  }

  /** The newest event of its current execution; 0 for none. */
  long lastEvent() {
    return tail.event();
  }

  boolean isKnown() {
    return stage != UNKNOWN;
  }

  boolean exists() {
    return stage == EXISTS;
  }

  /** Whether clients see it and it has come to its end. */
  boolean hasEnded() {
    return exists() && standing.status().endsInstance();
  }

  /** Whether its current execution has yet to begin with a start that is queued. */
  boolean awaitsStart() {
    return exists() && lastEvent() == 0;
  }

  /** Whether it has any messages, now or later; those of one that is not known may not count. */
  boolean isInLine() {
    return slot.line() != Slot.NO_LINE;
  }

  InstanceRow with(Slot newSlot, InstanceLock newLock) {
    return new InstanceRow(ref, stage, newSlot, newLock, execution, tail, standing);
  }

  InstanceRow with(InstanceLock newLock) {
    return with(slot, newLock);
  }

  InstanceRow withStage(int newStage) {
    return new InstanceRow(ref, newStage, slot, lock, execution, tail, standing);
  }

  InstanceRow withExecution(long newExecution, Tail newTail) {
    return new InstanceRow(ref, stage, slot, lock, newExecution, newTail, standing);
  }

  Mailboxes mailboxes() {
    return standing.mailboxes();
  }

  InstanceRow with(Mailboxes newMailboxes) {
    return with(standing.with(newMailboxes));
  }

  InstanceRow with(Standing newStanding) {
    return new InstanceRow(ref, stage, slot, lock, execution, tail, newStanding);
  }
}
