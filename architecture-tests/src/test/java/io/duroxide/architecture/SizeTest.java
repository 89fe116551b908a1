package io.duroxide.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Blank lines and comment lines never count. */
@DisplayName("Sizes")
class SizeTest {
  private static final int FILE = 400;
  private static final int TEST_FILE = 600;
  private static final int METHOD = 50;
  private static final int PARAMETERS = 5;
  private static final int COMPONENTS = 7;

  @Test
  @DisplayName("no main file has more than 400 code lines")
  void mainFiles() {
    assertThat(filesAbove(FILE, Project.mainSources())).isEmpty();
  }

  @Test
  @DisplayName("no test file has more than 600 code lines")
  void testFiles() {
    assertThat(filesAbove(TEST_FILE, Project.testSources())).isEmpty();
  }

  @Test
  @DisplayName("no main method has more than 50 code lines")
  void methods() {
    assertThat(Project.mainSources().flatMap(SizeTest::longMethods)).isEmpty();
  }

  @Test
  @DisplayName("no main method takes more than 5 parameters")
  void parameters() {
    assertThat(Project.mainSources().flatMap(SizeTest::wideMethods)).isEmpty();
  }

  @Test
  @DisplayName("no record has more than 7 components")
  void records() {
    assertThat(Project.mainSources().flatMap(SizeTest::wideRecords)).isEmpty();
  }

  private static Stream<String> filesAbove(int limit, Stream<JavaSource> sources) {
    return sources
        .filter(source -> source.codeLines() > limit)
        .map(source ->
            source.at(
                1,
                "has %d code lines, at most %d: name the second noun and move it to its own file"
                    .formatted(source.codeLines(), limit)));
  }

  private static Stream<String> longMethods(JavaSource source) {
    return source.shape().methods().stream()
        .filter(method -> source.codeLines(method.firstLine(), method.lastLine()) > METHOD)
        .map(method ->
            source.at(
                method.firstLine(),
                "%s has more than %d code lines: let it branch and give the work to leaves"
                    .formatted(method.name(), METHOD)));
  }

  private static Stream<String> wideMethods(JavaSource source) {
    return source.shape().methods().stream()
        .filter(method -> !method.canonical() && method.parameters() > PARAMETERS)
        .map(method ->
            source.at(
                method.firstLine(),
                "%s takes %d parameters, at most %d: make a record of those that belong together"
                    .formatted(method.name(), method.parameters(), PARAMETERS)));
  }

  private static Stream<String> wideRecords(JavaSource source) {
    return source.shape().records().stream()
        .filter(type -> type.components() > COMPONENTS)
        .map(type ->
            source.at(
                type.line(),
                "%s has %d components, at most %d: a noun is missing, name it"
                    .formatted(type.name(), type.components(), COMPONENTS)));
  }
}
