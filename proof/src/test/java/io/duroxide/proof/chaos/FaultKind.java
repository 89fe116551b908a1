package io.duroxide.proof.chaos;

/**
 * What can happen to a run. Steps of the clock are missing until the stores keep order under them.
 */
public enum FaultKind {
  /** A node is killed and replaced. */
  KILL,
  /** A process outside the nodes is killed and replaced. */
  KILL_CLIENT,
  /** A node stands still for longer than its locks last, and goes on. */
  PAUSE,
  /** All nodes stand still for longer than their locks last, as on a machine that is suspended. */
  STANDSTILL,
  /** A node stops in order and is replaced. */
  STOP,
  /** A node has no heap left for 0.2 s. */
  HEAP,
  /** A node cannot write to its files for a while. */
  DISK_FULL,
  /** A connection of a process ends after some more bytes, in either direction. */
  CUT,
  /** The connections of a process stand still. */
  FREEZE,
  /** The connections of a process are slow. */
  DELAY,
  /** The server ends the connections of a node. */
  TERMINATE,
  /** The server is stopped without any order, and started again. */
  CRASH;

  /** Whether it takes a proxy. */
  boolean isOfProxy() {
    return this == CUT || this == FREEZE || this == DELAY;
  }

  /** Whether it takes a server. */
  boolean isOfServer() {
    return isOfProxy() || this == TERMINATE || this == CRASH;
  }
}
