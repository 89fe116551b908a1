package io.duroxide.model;

/**
 * Versions from {@code min} to {@code max}, both included; pre-release labels are ignored. A range
 * whose minimum is above its maximum contains nothing.
 */
public record SemverRange(Semver min, Semver max) {
  public boolean contains(Semver version) {
    return version.compareTriple(min) >= 0 && version.compareTriple(max) <= 0;
  }

  @Override
  public String toString() {
    return min + ".." + max;
  }
}
