package io.duroxide.proof.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A defect to be planted in a copy of the sources, kept as text: a title; the lanes that must find
 * it; the form of the chaos lane that does; the invariants of which it breaks one; and changes,
 * each with the file, the lines to replace and those that replace them.
 *
 * <pre>
 * P-99 what is wrong
 * lanes 1 2
 * form file
 * breaks IV-10
 * in core/src/main/java/…
 * - a piece of text that occurs once
 * + its replacement
 * </pre>
 */
record PlantedBug(
    String id,
    String title,
    List<Integer> lanes,
    String form,
    List<String> broken,
    List<Change> changes) {
  static final Path FOLDER = Path.of("planted");

  /** One replacement. */
  record Change(Path file, String from, String to) {
    /** How often the text occurs that it replaces. */
    int fits(Path root) {
      String text = read(root.resolve(file));
      return text.split(Pattern.quote(from), -1).length - 1;
    }
  }

  static List<PlantedBug> all(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(PlantedBug::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static PlantedBug of(Path file) {
    List<String> lines = read(file).lines().toList();
    String[] head = lines.getFirst().split(" ", 2);
    List<Integer> lanes =
        Stream.of(after(lines.get(1), "lanes ").split(" ", -1)).map(Integer::valueOf).toList();
    List<Change> changes = new ArrayList<>();
    Path in = Path.of("");
    List<String> from = new ArrayList<>();
    List<String> to = new ArrayList<>();
    for (String line : lines.subList(4, lines.size())) {
      if (!line.startsWith("+ ") && !line.equals("+") && !to.isEmpty()) {
        changes.add(new Change(in, String.join("\n", from), String.join("\n", to)));
        from.clear();
        to.clear();
      }
      if (line.startsWith("in ")) {
        in = Path.of(after(line, "in "));
      } else {
        (line.startsWith("-") ? from : to).add(line.length() > 1 ? line.substring(2) : "");
      }
    }
    changes.add(new Change(in, String.join("\n", from), String.join("\n", to)));
    return new PlantedBug(
        head[0],
        head[1],
        lanes,
        after(lines.get(2), "form "),
        List.of(after(lines.get(3), "breaks ").split(" ", -1)),
        changes);
  }

  private static String after(String line, String begin) {
    if (!line.startsWith(begin)) {
      throw new IllegalArgumentException("'%s' does not begin with '%s'".formatted(line, begin));
    }
    return line.substring(begin.length());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Plants a defect; arguments: its file, and the root of a copy of the sources. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[1]);
    for (Change change : of(Path.of(arguments[0])).changes()) {
      if (change.fits(root) != 1) {
        throw new IllegalStateException("it does not occur once: " + change.from());
      }
      Path file = root.resolve(change.file());
      Files.writeString(file, read(file).replace(change.from(), change.to()));
    }
  }
}
