package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationIdentity;
import org.jspecify.annotations.Nullable;

/**
 * What a command knows of an instance.
 *
 * @param stage how much there is of it
 * @param orchestration its name and version; null before a commit named it
 * @param hasValues whether it ever had key-value entries
 */
record InstanceRow(
    Ref ref,
    int stage,
    Slot slot,
    InstanceLock lock,
    Current current,
    @Nullable OrchestrationIdentity orchestration,
    boolean hasValues) {
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

  InstanceRow with(Slot newSlot, InstanceLock newLock) {
    return new InstanceRow(ref, stage, newSlot, newLock, current, orchestration, hasValues);
  }

  InstanceRow withStage(int newStage) {
    return new InstanceRow(ref, newStage, slot, lock, current, orchestration, hasValues);
  }
}
