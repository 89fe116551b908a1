package io.duroxide.metrics.micrometer;

/** Orchestrations and their versions as labels, kept few. Thread-safe. */
final class KnownVersions {
  private static final Label OTHER = new Label(KnownNames.OTHER, KnownNames.OTHER);

  private final KnownNames names;
  private final KnownNames pairs;

  /** The two labels of an orchestration. */
  record Label(String name, String version) {}

  /**
   * @param most how many pairs of name and version are told apart
   */
  KnownVersions(KnownNames names, int most) {
    this.names = names;
    this.pairs = new KnownNames(most);
  }

  Label of(String orchestration, String version) {
    String name = names.of(orchestration);
    if (name.equals(KnownNames.OTHER)) {
      return OTHER;
    }
    String pair = name + "@" + version;
    return pairs.of(pair).equals(pair)
        ? new Label(name, version)
        : new Label(name, KnownNames.OTHER);
  }
}
