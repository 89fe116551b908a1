package io.duroxide.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A pom without a parent repeats what the root says, and must not say anything else. */
@DisplayName("Poms")
class PomTest {
  private static final Pattern VERSION = Pattern.compile("<([\\w.-]+\\.version)>([^<$]+)</");
  private static final Pattern OURS =
      Pattern.compile(
          "<groupId>io\\.duroxide</groupId>\\s*<artifactId>([\\w.-]+)</artifactId>"
              + "\\s*<version>([^<$]+)</version>");

  @Test
  @DisplayName("a version that the root names is the same in every pom")
  void libraries() {
    String root = read(Project.ROOT.resolve("pom.xml"));
    assertThat(
            poms()
                .flatMap(pom ->
                    found(VERSION, pom)
                        .filter(property -> root.contains("<" + property.group(1) + ">"))
                        .filter(property -> !root.contains(property.group()))
                        .map(property -> pom + ": the root has another " + property.group(1))))
        .isEmpty();
  }

  @Test
  @DisplayName("all modules have the version of the root")
  void modules() {
    List<String> versions =
        poms().flatMap(pom -> found(OURS, pom)).map(module -> module.group(2)).distinct().toList();
    assertThat(versions).hasSize(1);
  }

  private static Stream<MatchResult> found(Pattern pattern, Path pom) {
    return pattern.matcher(read(pom)).results().toList().stream();
  }

  private static Stream<Path> poms() {
    try (var files = Files.walk(Project.ROOT, 3)) {
      return files.filter(file -> file.endsWith("pom.xml")).toList().stream();
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
