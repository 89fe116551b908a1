package io.duroxide.provider.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is gone once it is closed. */
record Folder(Path path) implements AutoCloseable {

  static Folder create() {
    try {
      return new Folder(Files.createTempDirectory("duroxide-sqlite"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file() {
    return path.resolve("store.db");
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
