package io.duroxide.benchmarks.workloads;

import java.util.List;
import java.util.Locale;

/** Bars of steps per second, one group for each workload, as SVG. */
final class Chart {
  private static final int WIDTH = 760;
  private static final int BAR = 18;
  private static final int LEFT = 150;

  private Chart() {}

  /** One bar. */
  record Bar(String label, double value) {}

  static String of(String title, List<Bar> bars) {
    double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
    int height = 40 + bars.size() * (BAR + 6);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n",
            WIDTH,
            height));
    svg.append(String.format("<text x=\"8\" y=\"20\" font-size=\"14\">%s</text>%n", title));
    int y = 36;
    for (Bar bar : bars) {
      double width = (WIDTH - LEFT - 90) * bar.value() / most;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"8\" y=\"%d\">%s</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\""
                  + " height=\"%d\" fill=\"#3b6ea5\"/><text x=\"%.1f\" y=\"%d\">%,.0f</text>%n",
              y + 13,
              bar.label(),
              LEFT,
              y,
              Math.max(1, width),
              BAR,
              LEFT + width + 6,
              y + 13,
              bar.value()));
      y += BAR + 6;
    }
    return svg.append("</svg>\n").toString();
  }
}
