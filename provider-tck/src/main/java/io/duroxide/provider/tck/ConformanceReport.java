package io.duroxide.provider.tck;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a provider did.
 *
 * @param entries what was run or skipped, in the order of the run
 */
record ConformanceReport(List<Entry> entries) {
  private static final Pattern ID = Pattern.compile("TCK-([A-Z]+)-\\d+");
  private static final String ROW = "%-10s %7s %7s %8s%n";

  ConformanceReport {
    entries = List.copyOf(entries);
  }

  /** How an entry ended. */
  enum Verdict {
    PASSED,
    FAILED,
    SKIPPED
  }

  /**
   * One test.
   *
   * @param name its display name, which begins with its id
   * @param detail why it failed or was skipped; empty if it passed
   */
  record Entry(String name, Verdict verdict, String detail) {
    /** Its id in the catalog; its name if it has none. */
    String id() {
      Matcher id = ID.matcher(name);
      return id.find() ? id.group() : name;
    }

    private String category() {
      Matcher id = ID.matcher(name);
      return id.find() ? id.group(1) : "other";
    }
  }

  boolean passed() {
    return with(Verdict.FAILED).isEmpty() && !entries.isEmpty();
  }

  List<Entry> with(Verdict verdict) {
    return entries.stream().filter(entry -> entry.verdict() == verdict).toList();
  }

  /** A row for each category, then what failed and what was skipped. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(ROW.formatted("category", "passed", "failed", "skipped"));
    Map<String, List<Entry>> categories =
        entries.stream()
            .collect(
                Collectors.groupingBy(Entry::category, LinkedHashMap::new, Collectors.toList()));
    categories.forEach((category, rows) -> text.append(row(category, rows)));
    text.append(row("all", entries));
    append(text, "failed", with(Verdict.FAILED));
    append(text, "skipped", with(Verdict.SKIPPED));
    return text.toString();
  }

  private static String row(String label, List<Entry> rows) {
    return ROW.formatted(
        label,
        count(rows, Verdict.PASSED),
        count(rows, Verdict.FAILED),
        count(rows, Verdict.SKIPPED));
  }

  private static long count(List<Entry> rows, Verdict verdict) {
    return rows.stream().filter(entry -> entry.verdict() == verdict).count();
  }

  private static void append(StringBuilder text, String title, List<Entry> rows) {
    if (rows.isEmpty()) {
      return;
    }
    text.append("%n%s%n".formatted(title));
    rows.forEach(entry -> text.append("  %s: %s%n".formatted(entry.name(), entry.detail())));
  }
}
