package io.duroxide.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the guide, the front page of the project, and the fenced blocks in them. */
final class Guide {
  private static final String FENCE = "```";

  static final Path ROOT = root();
  static final Path FOLDER = ROOT.resolve("docs/guide");

  /**
   * A fenced block.
   *
   * @param page the file it stands in
   * @param line where it begins, from 1
   * @param label what follows the fence: a language, and what the block is a piece of
   * @param lines its content
   */
  record Block(Path page, int line, String label, List<String> lines) {
    boolean hasLabel(String first, String second) {
      return label.equals(first + " " + second);
    }

    /** The second word of the label, or nothing. */
    String subject() {
      int space = label.indexOf(' ');
      return space < 0 ? "" : label.substring(space + 1);
    }

    String text() {
      return String.join("\n", lines);
    }

    @Override
    public String toString() {
      return ROOT.relativize(page) + ":" + line + " " + label;
    }
  }

  private Guide() {}

  private static Path root() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve("docs/guide"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no folder above the working directory holds docs/guide");
  }

  /** The guide's pages and the front page. */
  static List<Path> pages() {
    return Stream.concat(Stream.of(ROOT.resolve("README.md")), documents("docs/guide")).toList();
  }

  /** Those, and all other documents of the project. */
  static List<Path> allDocuments() {
    return Stream.of("", "docs", "docs/guide", "docs/adr").flatMap(Guide::documents).toList();
  }

  private static Stream<Path> documents(String folder) {
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Block> blocks() {
    return pages().stream().flatMap(page -> blocks(page).stream()).toList();
  }

  static List<Block> blocks(Path page) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = lines(page);
    int begin = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith(FENCE)) {
        continue;
      }
      if (begin < 0) {
        begin = i;
      } else {
        String label = lines.get(begin).substring(FENCE.length()).strip();
        blocks.add(new Block(page, begin + 1, label, lines.subList(begin + 1, i)));
        begin = -1;
      }
    }
    if (begin >= 0) {
      throw new IllegalStateException(page + ":" + (begin + 1) + " is not closed");
    }
    return blocks;
  }
}
