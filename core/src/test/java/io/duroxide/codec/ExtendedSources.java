package io.duroxide.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A copy of this module's sources that can be extended and compiled. */
final class ExtendedSources {
  private static final Path ORIGINAL =
      Path.of(System.getProperty("basedir", "")).resolve("src/main/java").toAbsolutePath();

  private final Path root;
  private final List<Path> edited = new ArrayList<>();

  private ExtendedSources(Path root) {
    this.root = root;
  }

  static ExtendedSources copyTo(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(ORIGINAL)) {
      List<Path> sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("module-info.java"))
              .toList();
      for (Path source : sources) {
        Path copy = root.resolve(ORIGINAL.relativize(source).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(source, copy);
      }
    }
    return new ExtendedSources(root);
  }

  /** A file, named below {@code io/duroxide}, that lines can be put into. */
  Edit in(String file) {
    Path path = root.resolve("io/duroxide").resolve(file);
    edited.add(path);
    return new Edit(path);
  }

  /** Puts lines into one file. */
  record Edit(Path file) {
    /** Puts {@code added} before the only line that begins with {@code anchor}. */
    void before(String anchor, String... added) {
      try {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
          if (lines.get(i).strip().startsWith(anchor)) {
            places.add(i);
          }
        }
        if (places.size() != 1) {
          throw new AssertionError(
              "RE-253: %s has %d lines that begin with '%s' instead of one; name a better anchor"
                  .formatted(file.getFileName(), places.size(), anchor));
        }
        lines.addAll(places.getFirst(), Arrays.asList(added));
        Files.write(file, lines);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Adds a new file from a resource. */
  void add(String file, String resource) throws IOException {
    try (InputStream text = ExtendedSources.class.getClassLoader().getResourceAsStream(resource)) {
      Files.copy(text, root.resolve(file));
    }
  }

  /** Original lines of edited files that the copy does not have in the same order. */
  List<String> changedLines() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path file : edited) {
      List<String> now = Files.readAllLines(file);
      int next = 0;
      for (String line : Files.readAllLines(ORIGINAL.resolve(root.relativize(file).toString()))) {
        int found = now.subList(next, now.size()).indexOf(line);
        if (found < 0) {
          missing.add(file.getFileName() + ": " + line);
        } else {
          next += found + 1;
        }
      }
    }
    return missing;
  }

  /** Compiles a file and whatever it needs; returns where the classes are. */
  Path compile(String file, Path temp) throws IOException {
    Path classes = Files.createDirectory(temp.resolve("classes"));
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages);
    int problems =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                out,
                out,
                "-proc:none",
                "-nowarn",
                "-implicit:class",
                "-encoding",
                "UTF-8",
                "-d",
                classes.toString(),
                "-sourcepath",
                root.toString(),
                "-classpath",
                libraries(),
                root.resolve(file).toString());
    if (problems != 0) {
      throw new AssertionError(
          "RE-253: the extended sources do not compile; a switch may need another case:\n"
              + messages);
    }
    return classes;
  }

  /** The class path of this test without the classes of this build. */
  private static String libraries() {
    String separator = System.getProperty("path.separator");
    return Stream.of(System.getProperty("java.class.path").split(separator))
        .filter(entry -> entry.endsWith(".jar"))
        .collect(Collectors.joining(separator));
  }
}
