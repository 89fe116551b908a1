package io.duroxide.model;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version. Build labels are dropped when parsing.
 *
 * @param preRelease the part after the hyphen, empty for a release
 */
public record Semver(long major, long minor, long patch, String preRelease)
    implements Comparable<Semver> {
  /** Accepted in old histories as "no version". */
  public static final String PLACEHOLDER = "0.0.0";

  private static final Pattern FORM =
      Pattern.compile(
          "(0|[1-9]\\d{0,17})\\.(0|[1-9]\\d{0,17})\\.(0|[1-9]\\d{0,17})"
              + "(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?");
  private static final Comparator<Semver> TRIPLE =
      Comparator.comparingLong(Semver::major)
          .thenComparingLong(Semver::minor)
          .thenComparingLong(Semver::patch);

  public static Semver of(long major, long minor, long patch) {
    return new Semver(major, minor, patch, "");
  }

  /** The version that {@code text} spells; throws with the text when it spells none. */
  public static Semver parse(String text) {
    return tryParse(text)
        .orElseThrow(() ->
            new IllegalArgumentException("'" + text + "' is not a semantic version such as 1.4.0"));
  }

  /** The version that {@code text} spells, or nothing. */
  public static Optional<Semver> tryParse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String label = form.group(4);
    return Optional.of(
        new Semver(
            Long.parseLong(form.group(1)),
            Long.parseLong(form.group(2)),
            Long.parseLong(form.group(3)),
            label == null ? "" : label));
  }

  /** Its three numbers, without a label. */
  public Semver release() {
    return preRelease.isEmpty() ? this : of(major, minor, patch);
  }

  /** Compares major, minor and patch alone, as capability ranges do. */
  public int compareTriple(Semver other) {
    return TRIPLE.compare(this, other);
  }

  @Override
  public int compareTo(Semver other) {
    int triple = compareTriple(other);
    return triple != 0 ? triple : comparePreRelease(preRelease, other.preRelease);
  }

  @Override
  public String toString() {
    String triple = major + "." + minor + "." + patch;
    return preRelease.isEmpty() ? triple : triple + "-" + preRelease;
  }

  private static int comparePreRelease(String left, String right) {
    if (left.isEmpty() || right.isEmpty()) {
      return Boolean.compare(left.isEmpty(), right.isEmpty());
    }
    String[] a = left.split("\\.", -1);
    String[] b = right.split("\\.", -1);
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      int order = compareIdentifier(a[i], b[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.length, b.length);
  }

  private static int compareIdentifier(String left, String right) {
    boolean leftNumber = isNumber(left);
    boolean rightNumber = isNumber(right);
    if (leftNumber && rightNumber) {
      return new java.math.BigInteger(left).compareTo(new java.math.BigInteger(right));
    }
    if (leftNumber != rightNumber) {
      return leftNumber ? -1 : 1;
    }
    return left.compareTo(right);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
