package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.sqlite.SqliteProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Complaints: one line and an exit code")
class ComplaintsTest {
  @TempDir Path folder;

  private Path empty() {
    Path file = folder.resolve("empty.db");
    SqliteProvider.open(file).close();
    return file;
  }

  @ParameterizedTest(name = "CLI-ERROR {0} of an unknown instance")
  @ValueSource(
      strings = {
        "show x",
        "tail x",
        "export x",
        "raise x e",
        "enqueue x q",
        "cancel x -y",
        "delete x -y",
        "prune x -y"
      })
  void unknownInstance(String command) {
    Shell.Ran ran = Shell.script().on(empty(), command.split(" ", -1));
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err()).isEqualToIgnoringNewLines("duroxide: no instance 'x' in this store");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  @DisplayName("CLI-ERROR a missing file is not made, except by start with --create")
  void missingFile() {
    Path missing = folder.resolve("missing.db");
    Shell.Ran ran = Shell.script().on(missing, "list");
    assertThat(ran.exit()).isEqualTo(3);
    assertThat(ran.err()).startsWith("duroxide: there is no file '").hasLineCount(1);
    assertThat(Shell.script().on(missing, "start", "Hello", "h").exit()).isEqualTo(3);
    assertThat(missing).doesNotExist();

    assertThat(Shell.script().on(missing, "start", "Hello", "h", "--create").exit()).isZero();
    assertThat(missing).exists();
  }

  @Test
  @DisplayName("CLI-ERROR a file that is no store")
  void otherFile() throws IOException {
    Path other = Files.writeString(folder.resolve("notes.txt"), "not a database".repeat(100));
    Shell.Ran ran = Shell.script().on(other, "list");
    assertThat(ran.exit()).isEqualTo(3);
    assertThat(ran.err()).contains("no SQLite database").hasLineCount(1);
    assertThat(Shell.script().on(folder, "list").err()).contains("is a folder").hasLineCount(1);
  }

  @Test
  @DisplayName("CLI-ERROR an address of nothing we know, and none at all")
  void wrongAddress() {
    Shell.Ran mysql = Shell.script().run("list", "--store", "mysql://root:hush@db/x");
    assertThat(mysql.exit()).isEqualTo(2);
    assertThat(mysql.err()).contains("no store is called 'mysql'").doesNotContain("hush");
    Shell.Ran none = Shell.script().run("list", "--store", "");
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).contains("DUROXIDE_STORE").hasLineCount(1);
  }

  @Test
  @DisplayName("CLI-ERROR secrets of addresses are hidden wherever a message quotes them")
  void secrets() {
    assertThat(Secrets.hidden("cannot reach postgresql://kim:p@ss/w0rd@db:5432/x?a=b"))
        .doesNotContain("w0rd");
    assertThat(Secrets.hidden("cannot reach jdbc:postgresql://kim:hush@db:5432/x"))
        .isEqualTo("cannot reach jdbc:postgresql://kim:***@db:5432/x");
    assertThat(Secrets.hidden("jdbc:postgresql://db/x?user=kim&password=hush&ssl=true"))
        .isEqualTo("jdbc:postgresql://db/x?user=kim&password=***&ssl=true");
  }

  @ParameterizedTest(name = "CLI-USAGE {0}")
  @ValueSource(
      strings = {"", "dance", "show", "list --wrong", "list --limit 0", "stuck --idle soon"})
  void usage(String command) {
    Shell.Ran ran =
        Shell.script().on(empty(), command.isEmpty() ? new String[0] : command.split(" ", -1));
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err()).startsWith("duroxide: ");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  @DisplayName("CLI-USAGE every command has help; completion names every command")
  void help() {
    assertThat(Shell.script().run("--help").out()).contains("Exit codes:", "stuck", "export");
    assertThat(Shell.script().run("--version").out()).startsWith("duroxide ");
    String script = Shell.script().run("completion").out();
    var commands = Duroxide.commandLine(Terminal.ofProcess()).getSubcommands().keySet();
    assertThat(commands).hasSize(15);
    for (String command : commands) {
      assertThat(Shell.script().run(command, "--help").out())
          .startsWith("Usage: duroxide " + command);
      assertThat(script).contains(command);
    }
  }
}
