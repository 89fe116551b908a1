package io.duroxide.provider;

/** What opening a store does with a schema that does not have the version of the library. */
public enum MigrationMode {
  /** Makes a missing schema and brings an older one to the version of the library. */
  APPLY,
  /** Changes nothing, and refuses a schema that is missing, older or newer than the library's. */
  VERIFY
}
