package io.duroxide.proof.check;

/**
 * An invariant that does not hold.
 *
 * @param invariant such as IV-7
 * @param where the instance, process or file
 */
public record Breach(String invariant, String where, String what) {
  @Override
  public String toString() {
    return invariant + " " + where + ": " + what;
  }
}
