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

@DisplayName("A heap that is short")
class ShortHeapTest {
  /** The limit of each call and a second. */
  private static final long LATEST_MILLIS = 3_000;

  private static final Pattern RESULT =
      Pattern.compile("RESULT (\\w+).* calls=(\\d+) slowest=(\\d+)");

  @TempDir private Path folder;

  @Test
  @DisplayName(
      "RL-017 taken 60 times for 0.2 s: the node works afterwards or is DOWN, no call hangs")
  void taken() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ShortHeapProcess.class.getName(),
                folder.resolve("store.db").toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();

    Matcher result = RESULT.matcher(String.join("\n", lines));
    assertThat(result.find()).as(String.join("\n", lines)).isTrue();
    assertThat(result.group(1)).as(result.group()).isIn("WORKS", "DOWN");
    assertThat(Integer.parseInt(result.group(2))).isGreaterThan(ShortHeapProcess.ROUNDS);
    assertThat(Long.parseLong(result.group(3))).as(result.group()).isLessThan(LATEST_MILLIS);
  }
}
