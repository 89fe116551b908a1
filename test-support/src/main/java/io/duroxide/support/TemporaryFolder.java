package io.duroxide.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where the test JVMs of a module put temporary files. They share it, so the last one to leave says
 * what is left in it.
 */
final class TemporaryFolder {
  /** The folder of surefire, which exists before the first test JVM starts. */
  private static final String NAME = "surefire";

  /** What surefire needs, and what libraries delete when the JVM ends. */
  private static final List<String> FOREIGN =
      List.of(NAME, "sqlite-", "detect_linux_distribution_");

  private static final String MARK = "jvm-";

  private final Path folder;
  private final Path mark;

  TemporaryFolder(Path folder, long process) {
    this.folder = folder;
    this.mark = folder.resolve(MARK + process);
  }

  static TemporaryFolder ofJvm() {
    return new TemporaryFolder(
        Path.of(System.getProperty("java.io.tmpdir")), ProcessHandle.current().pid());
  }

  /** The first to come forgets what a build that was killed has left. */
  void enter() {
    if (isShared()) {
      alone(() -> {
        if (!isUsed()) {
          ours().forEach(TemporaryFolder::delete);
        }
        return create(mark);
      });
    }
  }

  /** What is left, if this JVM is the last one; empty otherwise. */
  List<Path> leave() {
    if (!isShared()) {
      return List.of();
    }
    return alone(() -> {
      delete(mark);
      return isUsed() ? List.of() : ours();
    });
  }

  /** Outside the build, the folder is one that belongs to the whole machine. */
  private boolean isShared() {
    return folder.endsWith(NAME);
  }

  private boolean isUsed() {
    return list()
        .filter(file -> name(file).startsWith(MARK))
        .map(file -> Long.parseLong(name(file).substring(MARK.length())))
        .anyMatch(process -> ProcessHandle.of(process).isPresent());
  }

  private List<Path> ours() {
    return list().filter(file -> FOREIGN.stream().noneMatch(name(file)::startsWith)).toList();
  }

  private Stream<Path> list() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private <T> T alone(Supplier<T> action) {
    Path lock = folder.resolve(NAME + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      assert held.isValid();
      return action.get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path create(Path file) {
    try {
      return Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      if (Files.isDirectory(file)) {
        try (Stream<Path> inside = Files.list(file)) {
          inside.toList().forEach(TemporaryFolder::delete);
        }
      }
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
