package io.duroxide.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Reading sources")
class ShapeTest {
  private static final JavaSource SAMPLE =
      JavaSource.of(
          Path.of("core", "src", "main", "java", "Sample.java"),
          """
          import static java.lang.System.nanoTime;

          record Sample(int a, int b) {
            static final int LIMIT = 1;

            Sample(int a, int b) {
              // a comment
              this.a = a;

              this.b = b;
            }

            synchronized void run(java.util.UUID id, String name) throws Exception {
              java.lang.Thread.sleep(1);
              Object lock = new java.util.Random();
              synchronized (lock) {}
              java.util.function.Supplier<java.time.Instant> now = java.time.Instant::now;
              String quiet = "Math.random()";
            }
          }
          """);

  @Test
  @DisplayName("methods and records are measured")
  void measures() {
    assertThat(SAMPLE.shape().methods())
        .containsExactly(
            new Shape.Method("<init>", 2, true, 6, 11), new Shape.Method("run", 2, false, 13, 19));
    assertThat(SAMPLE.codeLines(6, 11)).isEqualTo(4);
    assertThat(SAMPLE.shape().records()).containsExactly(new Shape.RecordType("Sample", 2, 3));
  }

  @Test
  @DisplayName("names are found however they are written, and strings are not names")
  void names() {
    assertThat(line("Thread.sleep")).isEqualTo(14);
    assertThat(line("System.nanoTime")).isEqualTo(1);
    assertThat(line("new Random")).isEqualTo(15);
    assertThat(line("Instant.now")).isEqualTo(17);
    assertThat(line("synchronized")).isEqualTo(13);
    assertThat(SAMPLE.shape().names()).noneMatch(name -> name.is("Math.random"));
  }

  @Test
  @DisplayName("a file knows its module and its side")
  void place() {
    assertThat(SAMPLE.module()).isEqualTo("core");
    assertThat(SAMPLE.isMain()).isTrue();
    assertThat(SAMPLE.className()).isEqualTo("Sample");
  }

  private static int line(String name) {
    return SAMPLE.shape().names().stream()
        .filter(found -> found.is(name))
        .findFirst()
        .orElseThrow()
        .line();
  }
}
