package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The functions of the store")
class FunctionTest {
  private static final int MOST_LINES = 80;
  private static final int MOST_PARAMETERS = 15;
  private static final Pattern FUNCTION =
      Pattern.compile(
          "CREATE OR REPLACE FUNCTION @\\.(\\w+)\\((.*?)\\)\\s*(RETURNS|LANGUAGE).*?\\n?\\$\\$;",
          Pattern.DOTALL);
  private static final Pattern PARAMETER = Pattern.compile("\\bp_\\w+ ");
  private static final Pattern PROBE =
      Pattern.compile("^--: (\\w+) ?(.*)\\n([^\\x00]*?)(?=^--: |\\z)", Pattern.MULTILINE);

  private static final Premises PREMISES = Premises.build();

  @BeforeAll
  static void open() {
    PREMISES.openDeaf().close();
  }

  @AfterAll
  static void close() {
    PREMISES.leave();
  }

  /**
   * One function.
   *
   * @param body from its first line to its last
   */
  private record Function(String name, String parameters, String body) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Function> functions() {
    List<Function> functions = new ArrayList<>();
    for (SchemaScript script : SchemaScript.functions()) {
      Matcher matcher = FUNCTION.matcher(script.text());
      int before = functions.size();
      while (matcher.find()) {
        functions.add(new Function(matcher.group(1), matcher.group(2), matcher.group()));
      }
      assertThat(functions.size() - before)
          .as("functions found in %s.sql", script.name())
          .isEqualTo(script.text().split("CREATE OR REPLACE FUNCTION", -1).length - 1)
          .isPositive();
    }
    return functions;
  }

  /** What a function does with given rows. */
  record Probe(String function, String expected, String statements) {
    @Override
    public String toString() {
      return function;
    }
  }

  private static Stream<Probe> all() {
    try (InputStream in = FunctionTest.class.getResourceAsStream("function-tests.sql")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PROBE
          .matcher(text)
          .results()
          .map(found -> new Probe(found.group(1), found.group(2), found.group(3)))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isGiven(Probe probe) {
    return probe.function().equals("given");
  }

  static Stream<Probe> probes() {
    return all().filter(probe -> !isGiven(probe));
  }

  @Test
  @DisplayName("each have a test of their own")
  void complete() {
    assertThat(probes().map(Probe::function).distinct())
        .containsExactlyInAnyOrderElementsOf(functions().stream().map(Function::name).toList());
  }

  @Test
  @DisplayName("have at most 80 lines and 15 parameters")
  void small() {
    for (Function function : functions()) {
      assertThat(function.body().lines().count())
          .as("lines of %s", function)
          .isLessThanOrEqualTo(MOST_LINES);
      assertThat(PARAMETER.matcher(function.parameters() + " ").results().count())
          .as("parameters of %s", function)
          .isLessThanOrEqualTo(MOST_PARAMETERS);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("probes")
  @DisplayName("do what they say")
  void probe(Probe probe) throws SQLException {
    String given = all().filter(FunctionTest::isGiven).findFirst().orElseThrow().statements();
    Schema schema = Schema.named(PREMISES.schema());
    try (Connection connection = PREMISES.pool().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(schema.in(given));
      assertThat(last(statement, schema.in(probe.statements()))).isEqualTo(probe.expected());
      connection.rollback();
    }
  }

  /** The first column of the first row that the last statement returns. */
  private static String last(Statement statement, String script) throws SQLException {
    String last = null;
    boolean rows = statement.execute(script);
    while (rows || statement.getUpdateCount() >= 0) {
      if (rows) {
        try (ResultSet result = statement.getResultSet()) {
          last = result.next() ? result.getString(1) : null;
        }
      }
      rows = statement.getMoreResults();
    }
    return last;
  }
}
