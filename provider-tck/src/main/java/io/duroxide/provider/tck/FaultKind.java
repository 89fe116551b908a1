package io.duroxide.provider.tck;

/** What an armed fault does. */
public enum FaultKind {
  /** The connection is lost once. */
  CONNECTION_LOST,
  /** Another transaction makes the store choose this one as victim, once. */
  DEADLOCK,
  /** The store refuses to serialize this transaction, once. */
  SERIALIZATION_FAILURE,
  /** The store ends all connections once and accepts new ones. */
  SERVER_RESTART,
  /** The driver throws an {@link OutOfMemoryError}, once. */
  ERROR,
  /** The store cannot be reached by any operation until {@link ProviderFixture#heal}. */
  UNREACHABLE
}
