package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DifferencesPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern ROW = Pattern.compile("(?m)^\\|.*\\| ([A-Z0-9-]+) \\|$");

  @Test
  @DisplayName("RL-084 each difference from duroxide names a test that exists")
  void rows() throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("differences.md"));
    List<String> named =
        ROW.matcher(page).results().map((MatchResult row) -> row.group(1)).toList();
    long rows = page.lines().filter(line -> line.startsWith("| ")).count() - 1;
    String tests = sources();

    assertThat(named).hasSize((int) rows).hasSizeGreaterThan(10);
    assertThat(named)
        .allSatisfy(id -> assertThat(tests).containsPattern("\"[^\"\\n]*\\b" + id + " "));
  }

  /** Every test and every entry of the kit. */
  private static String sources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .flatMap(module ->
              Stream.of(
                  module.resolve("src").resolve("test"),
                  module.resolve("src").resolve("main").resolve("java")))
          .filter(Files::isDirectory)
          .flatMap(DifferencesPageTest::filesBelow)
          .filter(file -> file.toString().matches(".*(Test|Tck)\\.java"))
          .map(DifferencesPageTest::read)
          .collect(Collectors.joining());
    }
  }

  private static Stream<Path> filesBelow(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
