package io.duroxide.proof.chaos;

/** Where a run keeps its instances. */
public enum StoreKind {
  SQLITE,
  POSTGRES,
  /** PostgreSQL, each process behind a proxy of its own. */
  PROXIED;

  boolean isServer() {
    return this != SQLITE;
  }
}
