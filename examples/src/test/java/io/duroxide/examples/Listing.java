package io.duroxide.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The source of a class as the guide prints it: from the class on, without the private constructor.
 */
final class Listing {
  private static final Path MAIN = sources("main");
  private static final Path TEST = sources("test");

  private final String name;
  private final List<String> lines;
  private final BitSet printed = new BitSet();

  private Listing(String name, List<String> lines) {
    this.name = name;
    this.lines = lines;
  }

  private static Path sources(String kind) {
    return Guide.ROOT.resolve("examples/src/" + kind + "/java/io/duroxide/examples");
  }

  /** The source of an example or of one of its tests. */
  static Listing of(String name) {
    Path main = MAIN.resolve(name + ".java");
    Path file = Files.exists(main) ? main : TEST.resolve(name + ".java");
    String constructor = "  private " + name + "() {}";
    List<String> all = Guide.lines(file);
    int begin =
        IntStream.range(0, all.size())
            .filter(i -> all.get(i).contains("class "))
            .findFirst()
            .orElseThrow();
    int gap = all.indexOf(constructor);
    List<String> lines =
        gap < 0
            ? all.subList(begin, all.size())
            : Stream.concat(
                    all.subList(begin, gap).stream(), all.subList(gap + 2, all.size()).stream())
                .toList();
    return new Listing(name, lines);
  }

  /** The names of all programs. */
  static List<String> programs() {
    try (Stream<Path> files = Files.list(MAIN)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(file -> !file.equals("package-info"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Finds a piece, however deeply it is indented, and remembers that it was printed. */
  boolean print(List<String> piece) {
    List<String> wanted = flush(piece);
    for (int i = 0; i + wanted.size() <= lines.size(); i++) {
      if (flush(lines.subList(i, i + wanted.size())).equals(wanted)) {
        printed.set(i, i + wanted.size());
        return true;
      }
    }
    return false;
  }

  /** What no piece has shown, comments and blank lines aside. */
  List<String> unprinted() {
    return IntStream.range(0, lines.size())
        .filter(i -> !printed.get(i))
        .mapToObj(lines::get)
        .filter(line -> !line.isBlank() && !line.strip().startsWith("/**"))
        .toList();
  }

  private static List<String> flush(List<String> block) {
    return block.stream().collect(Collectors.joining("\n")).stripIndent().lines().toList();
  }

  @Override
  public String toString() {
    return name;
  }
}
