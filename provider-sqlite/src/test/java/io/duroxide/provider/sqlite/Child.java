package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A process of its own that runs a main class and talks in lines; killed when it is closed. */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final PrintStream in;

  private Child(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  static Child start(Class<?> main, Object... arguments) {
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            main.getName());
    try {
      return new Child(
          new ProcessBuilder(
                  Stream.concat(java, Stream.of(arguments).map(Object::toString)).toList())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** The next line; fails if there is none. */
  String hear() {
    try {
      String line = out.readLine();
      assertThat(line).as("a line of the child").isNotNull();
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All lines until the child ends. */
  List<String> hearAll() {
    return out.lines().toList();
  }

  /** Hands on each line as it comes, until the child ends. */
  void listen(Consumer<String> listener) {
    Thread.ofVirtual().start(() -> out.lines().forEach(listener));
  }

  void say(String line) {
    in.println(line);
  }

  /** Lets it no time for anything. What it had printed can still be read. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  @Override
  public void close() {
    kill();
    try {
      process.waitFor();
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
