package io.duroxide.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The source tree of all modules. */
final class Project {
  private static final Set<String> UNPUBLISHED =
      Set.of(
          "architecture-tests",
          "benchmarks",
          "examples",
          "formatter",
          "simulation",
          "test-support");

  static final Path ROOT = root();
  private static final List<JavaSource> SOURCES = read();

  private Project() {}

  static Stream<JavaSource> mainSources() {
    return SOURCES.stream().filter(JavaSource::isMain);
  }

  static Stream<JavaSource> testSources() {
    return SOURCES.stream().filter(Predicate.not(JavaSource::isMain));
  }

  static Stream<JavaSource> publishedSources() {
    return mainSources().filter(source -> !UNPUBLISHED.contains(source.module()));
  }

  static Stream<JavaSource> allSources() {
    return SOURCES.stream();
  }

  /** The compiled main classes of all modules that have any. */
  static List<Path> classFolders() {
    try (var modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("target/classes"))
          .filter(Files::isDirectory)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(".ci"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no folder above the working directory holds .ci");
  }

  private static List<JavaSource> read() {
    try (var modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(Project::javaFiles)
          .sorted()
          .map(file -> JavaSource.read(ROOT, file))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
