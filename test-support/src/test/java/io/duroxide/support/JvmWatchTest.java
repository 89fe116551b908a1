package io.duroxide.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A test JVM")
class JvmWatchTest {
  /**
   * What a JVM says that runs a test.
   *
   * @param exit its exit code
   */
  private record Ran(int exit, String said) {
    String order() {
      return said.lines().filter(line -> line.startsWith("[")).findFirst().orElseThrow();
    }
  }

  private static Ran run(Class<?> test, long seed) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dtest.seed=" + seed,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SessionSample.class.getName(),
                test.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), said);
  }

  @Test
  @DisplayName("RL-243 prints the seed of its order, which the same seed repeats")
  void order() throws IOException, InterruptedException {
    Ran first = run(SessionSample.Tidy.class, 1);
    assertThat(first.said()).contains("-Dtest.seed=1");
    assertThat(first.exit()).as(first.said()).isZero();
    assertThat(run(SessionSample.Tidy.class, 1).order()).isEqualTo(first.order());
    assertThat(run(SessionSample.Tidy.class, 2).order()).isNotEqualTo(first.order());
  }

  @Test
  @DisplayName("RL-243 fails if a test leaves a thread behind")
  void untidy() throws IOException, InterruptedException {
    Ran ran = run(SessionSample.Untidy.class, 1);
    assertThat(ran.exit()).as(ran.said()).isNotZero();
    assertThat(ran.said()).contains("left behind", "duroxide-left");
  }
}
