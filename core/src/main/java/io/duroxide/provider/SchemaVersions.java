package io.duroxide.provider;

import io.duroxide.provider.ProviderException.Kind;

/**
 * The version of a stored schema beside the one of the library that opens it.
 *
 * @param store how messages name the store
 * @param found the version of the store; 0 if there is none
 * @param known the newest version that the library has
 */
public record SchemaVersions(String store, int found, int known) {
  public boolean isOlder() {
    return found < known;
  }

  /** Refuses a schema that {@link MigrationMode#APPLY} would have to change. */
  public void refuseOlder() {
    if (isOlder()) {
      throw refusal(
          "%s has schema version %d, this library needs version %d; open it with"
              + " MigrationMode.APPLY");
    }
  }

  /** Refuses a schema that a newer library has made. */
  public void refuseNewer() {
    if (found > known) {
      throw refusal(
          "%s has schema version %d, this library knows versions up to %d; use a newer library");
    }
  }

  private ProviderException refusal(String text) {
    return new ProviderException(
        Kind.UNKNOWN_PERMANENT, "open", text.formatted(store, found, known));
  }
}
