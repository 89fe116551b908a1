package io.duroxide.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GuideTest {
  private static final DecimalFormat PLAIN =
      new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));

  @Test
  @DisplayName("the table of metrics in the guide is the one of the code")
  void table() throws IOException {
    List<String> shown =
        Files.readAllLines(root().resolve("docs/guide/telemetry.md")).stream()
            .filter(line -> line.startsWith("| `duroxide_"))
            .toList();

    assertThat(shown)
        .as("replace the rows of the table in docs/guide/telemetry.md by the expected ones")
        .isEqualTo(Arrays.stream(Metric.values()).map(GuideTest::row).toList());
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            metric.prometheusName(),
            type(metric),
            metric.labels().isEmpty() ? "" : "`" + String.join("` `", metric.labels()) + "`",
            metric.description());
  }

  private static String type(Metric metric) {
    return switch (metric.type()) {
      case COUNTER -> "counter";
      case GAUGE -> "gauge";
      case TIMER, SUMMARY ->
          metric.buckets().stream()
              .map(PLAIN::format)
              .collect(Collectors.joining(" ", "histogram ", ""));
    };
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".ci"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
