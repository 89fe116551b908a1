package io.duroxide.cli;

import static io.duroxide.cli.Workplace.ASK;
import static io.duroxide.cli.Workplace.BREAK;
import static io.duroxide.cli.Workplace.LONELY;
import static io.duroxide.cli.Workplace.NAP;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.StartOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisplayName("Finding what is stuck")
class StuckTest {
  @TempDir Path folder;

  @Test
  @DisplayName("CLI-STUCK names who waits for what; sleepers and ordinary failures are left out")
  void stuck() {
    try (Workplace work = new Workplace(folder)) {
      assertThat(Shell.script().on(work.file, "stuck").out())
          .isEqualToIgnoringNewLines("nothing is stuck");
      work.begun(LONELY, "lonely-1", "x");
      work.begun(ASK, "ask-1", "may I?");
      work.begun(NAP, "nap-1", "");
      work.ended(BREAK, "broken-1", "no luck");
      Workplace.until(() -> rows(work).size() == 2);

      String shown = Shell.script().on(work.file, "stuck", "--idle", "0s").out();
      assertThat(shown)
          .containsPattern(
              "lonely-1 +Running .* activity 'Nowhere' was scheduled .* ago and has no outcome")
          .containsPattern("ask-1 +Running .* waits for the event 'Approval' for .* 'raise' sends")
          .contains("ready and not taken now: 0 messages to orchestrations, 1 activity");
      assertThat(Shell.script().on(work.file, "stuck").out()).doesNotContain("Running");
      assertThat(Shell.script().on(work.file, "stuck", "--idle", "0s", "--limit", "1").out())
          .contains("and 1 more");
    }
  }

  @Test
  @DisplayName("CLI-STUCK tells what is ready and no live node can run, and why")
  void stranded() {
    try (Workplace work = new Workplace(folder)) {
      work.begun(LONELY, "lonely-1", "x");
      work.client.start("Unknown", "start-1", "null", StartOptions.version("2.0.0"));
      Workplace.until(
          () -> Shell.script().on(work.file, "stuck").out().contains("has the activity"));
      assertThat(Shell.script().on(work.file, "stuck").out())
          .containsPattern(
              "1 activity 'Nowhere' +lonely-1 +no live node has the activity 'Nowhere'")
          .containsPattern(
              "1 turn of 'Unknown' 2.0.0 +start-1 +no live node has the orchestration 'Unknown'");
      JsonNode rows = Shell.script().on(work.file, "stuck", "--json").json().get("stranded");
      assertThat(rows.valueStream().map(row -> row.get("needs").asString()))
          .containsExactly("turn", "activity");
      assertThat(rows.get(0).get("orchestration").asString()).isEqualTo("Unknown");
      assertThat(rows.get(0).get("count").asLong()).isEqualTo(1);
      assertThat(rows.get(1).get("instances").get(0).asString()).isEqualTo("lonely-1");
      assertThat(rows.get(1).get("reason").asString()).contains("no live node");
    }
    assertThat(Shell.script().on(folder.resolve("work.db"), "stuck").out())
        .contains("no node is up");
  }

  @Test
  @DisplayName("RL-079 an instance whose pin cannot be read is stuck, and stops nobody else")
  void unreadablePin() throws SQLException {
    try (Workplace work = new Workplace(folder)) {
      work.begun(ASK, "ask-1", "may I?");
      work.begun(ASK, "ask-2", "may I?");
      spoilPin(work.file, "ask-1");
      work.client.raiseEvent("ask-1", Workplace.APPROVAL, "yes");
      work.client.raiseEvent("ask-2", Workplace.APPROVAL, "yes");
      work.client.waitForCompletion("ask-2", Workplace.PATIENCE);

      Workplace.until(() -> Shell.script().on(work.file, "stuck").out().contains("cannot be read"));
      assertThat(Shell.script().on(work.file, "stuck").out())
          .containsPattern(
              "1 turn of 'Ask' 1.0.0 +ask-1 +the framework version '0.garbage' of the execution"
                  + " cannot be read");
      assertThat(Shell.script().on(work.file, "show", "ask-1").out())
          .containsPattern("framework +0.garbage")
          .containsPattern("status +Running");
    }
  }

  private static void spoilPin(Path file, String instance) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE duroxide_execution SET pin = '0.garbage' WHERE instance ="
              + " (SELECT key FROM duroxide_instance WHERE id = '"
              + instance
              + "')");
      statement.executeUpdate(
          "UPDATE duroxide_instance SET pin = '0.garbage' WHERE id = '" + instance + "'");
    }
  }

  private static List<String> rows(Workplace work) {
    return Shell.script()
        .on(work.file, "stuck", "--idle", "0s", "--json")
        .json()
        .get("stuck")
        .valueStream()
        .map(row -> row.get("instance").asString() + " " + row.get("missing").asString())
        .toList();
  }

  @Test
  @DisplayName("CLI-STUCK an instance that its new code cannot replay was given up")
  void givenUp() {
    Path file = folder.resolve("work.db");
    try (Workplace work = new Workplace(folder)) {
      work.begun(ASK, "ask-1", "may I?");
    }
    try (SqliteProvider store = SqliteProvider.open(file);
        DuroxideRuntime changed =
            DuroxideRuntime.builder(store)
                .activity(Workplace.GREET, (ctx, name) -> name)
                .orchestration(ASK, (ctx, what) -> ctx.call(Workplace.GREET, what).await())
                .start()) {
      assertThat(changed).isNotNull();
      assertThat(Shell.script().on(file, "raise", "ask-1", "Approval", "yes").exit()).isZero();
      Workplace.until(
          () -> Shell.script().on(file, "stuck").out().contains("was given up: nondeterministic"));
    }
  }
}
