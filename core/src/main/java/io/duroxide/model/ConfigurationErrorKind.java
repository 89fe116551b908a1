package io.duroxide.model;

/** What is wrong with the code or the deployment. */
public enum ConfigurationErrorKind {
  /** The code no longer does what its history says it did. */
  NONDETERMINISM("Nondeterminism", "nondeterministic"),
  /** The execution is pinned to a framework version this node cannot replay. */
  INCOMPATIBLE_VERSION("IncompatibleVersion", "incompatible version");

  private final String stored;
  private final String label;

  ConfigurationErrorKind(String stored, String label) {
    this.stored = stored;
    this.label = label;
  }

  /** The name in stored JSON. */
  public String stored() {
    return stored;
  }

  /** The word its display text begins with. */
  public String label() {
    return label;
  }
}
