package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.sqlite.SqliteProvider;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs after the jar is made. */
@DisplayName("The jar and its launcher")
class RunnableJarTest {
  @TempDir Path folder;

  private Shell.Ran launch(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bin/duroxide"));
    command.addAll(List.of(args));
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectOutput(out).redirectError(err);
    int exit = builder.start().waitFor();
    return new Shell.Ran(
        exit,
        Files.readString(out.toPath(), StandardCharsets.UTF_8),
        Files.readString(err.toPath(), StandardCharsets.UTF_8));
  }

  @Test
  @DisplayName("CLI-JAR the launcher finds a JDK and the jar answers, without a word too many")
  void answers() throws IOException, InterruptedException {
    Path file = folder.resolve("empty.db");
    SqliteProvider.open(file).close();

    Shell.Ran listed = launch("list", "--json", "--store", file.toString());
    assertThat(listed.err()).isEmpty();
    assertThat(listed.exit()).isZero();
    assertThat(listed.json().get("instances")).isEmpty();

    Shell.Ran unknown = launch("delete", "x", "--yes", "--store", file.toString());
    assertThat(unknown.exit()).isEqualTo(1);
    assertThat(unknown.err()).isEqualToIgnoringNewLines("duroxide: no instance 'x' in this store");
    assertThat(launch("--version").out()).matches("duroxide \\d+\\.\\d+\\.\\d+\\S*\\s*");
  }
}
