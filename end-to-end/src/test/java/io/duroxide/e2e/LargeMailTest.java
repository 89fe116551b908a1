package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Large messages in a mailbox")
class LargeMailTest {
  private static final Pattern RESULT = Pattern.compile("RESULT (.*) neighbours=(\\d+)");

  @TempDir private Path folder;

  @Test
  @DisplayName("RL-022 200 of 1 MB with a heap of 256 MB are read in order, others go on meanwhile")
  void heap() throws IOException, InterruptedException {
    run("-Xmx256m", "200", "0");
  }

  @Test
  @DisplayName("RL-023 code that waits between two reads: the heap is bounded by the window")
  void slowReader() throws IOException, InterruptedException {
    run("-Xmx128m", "100", "20");
  }

  private void run(String heap, String count, String pause)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                heap,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                LargeMailProcess.class.getName(),
                folder.resolve("store.db").toString(),
                count,
                pause)
            .redirectErrorStream(true)
            .start();
    List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    String shown = String.join("\n", lines.subList(0, Math.min(lines.size(), 50)));
    assertThat(process.waitFor()).as(shown).isZero();

    Matcher result = RESULT.matcher(String.join("\n", lines));
    assertThat(result.find()).as(shown).isTrue();
    assertThat(result.group(1)).contains("all in order");
    assertThat(Integer.parseInt(result.group(2))).isPositive();
    assertThat(String.join("\n", lines)).doesNotContain("OutOfMemoryError");
  }
}
