package io.duroxide.benchmarks.workloads;

import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.RuntimeOptions;
import java.nio.file.Path;
import java.util.List;

/** What the workloads run on, each on an empty store of its own. */
final class Subjects {
  static final List<String> ALL = List.of("memory", "sqlite");

  private final Path folder;
  private int opened;

  Subjects(Path folder) {
    this.folder = folder;
  }

  Subject open(String name, RuntimeOptions options) {
    return switch (name) {
      case "memory" -> new Duroxide(name, MemoryProvider.create(), options);
      case "sqlite" ->
          new Duroxide(name, SqliteProvider.open(folder.resolve(opened++ + ".db")), options);
      default -> throw new IllegalArgumentException("no such store: " + name);
    };
  }
}
