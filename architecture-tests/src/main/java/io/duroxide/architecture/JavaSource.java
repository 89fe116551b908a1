package io.duroxide.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** One Java file: its path below the project's root, its text, and its shape. */
record JavaSource(Path path, List<String> lines, Shape shape) {
  private static final Pattern NOT_CODE = Pattern.compile("[ \t]*($|//|\\*|/\\*)");

  static JavaSource read(Path root, Path file) {
    try {
      return of(root.relativize(file), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JavaSource of(Path path, String text) {
    return new JavaSource(path, text.lines().toList(), Shape.of(path, text));
  }

  String module() {
    return path.getName(0).toString();
  }

  boolean isMain() {
    return path.startsWith(Path.of(module(), "src", "main"));
  }

  String className() {
    return path.getFileName().toString().replace(".java", "");
  }

  long codeLines() {
    return codeLines(1, lines.size());
  }

  /** Lines from first to last, both included, that are neither blank nor comment. */
  long codeLines(int first, int last) {
    return lines.subList(first - 1, last).stream()
        .filter(line -> !NOT_CODE.matcher(line).lookingAt())
        .count();
  }

  /** How a broken rule names its place. */
  String at(long line, String what) {
    return path + ":" + line + " " + what;
  }
}
