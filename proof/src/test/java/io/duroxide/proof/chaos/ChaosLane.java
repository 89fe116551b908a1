package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Breach;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs forms of the lane; of a run that fails everything is kept, and a smaller one is looked for.
 */
final class ChaosLane {
  private final Path folder;
  private final int tries;
  private final Duration patience;

  /**
   * A lane.
   *
   * @param tries how often each smaller run is tried
   * @param patience for how long to look for a smaller one
   */
  ChaosLane(Path folder, int tries, Duration patience) {
    this.folder = folder;
    this.tries = tries;
    this.patience = patience;
  }

  /** Where the build keeps what failed. */
  static ChaosLane ofBuild() {
    return new ChaosLane(Path.of("target", "proof", "chaos"), 2, Duration.ofMinutes(3));
  }

  /** The report of a run without a breach. */
  RunReport run(ChaosForm form, long seed) {
    Path path = folder.resolve(form.name().toLowerCase(Locale.ROOT) + "-" + seed);
    delete(path);
    RunReport report = new ChaosRun(form.settings(seed), path).run();
    if (report.breaches().isEmpty()) {
      delete(path);
      return report;
    }
    ChaosSettings smallest = shrunk(report, path);
    throw new AssertionError(
        """
        the chaos lane is red; everything of the run is in %s
        to repeat it: ./prove chaos --only %s --seed %d
        a smaller run that failed too: %s
        %s\
        """
            .formatted(
                path,
                form.name().toLowerCase(Locale.ROOT),
                seed,
                smallest.toJson(),
                report.text()));
  }

  /** A smaller run that breaks one of the same invariants. */
  private ChaosSettings shrunk(RunReport failed, Path path) {
    AtomicInteger number = new AtomicInteger();
    List<String> broken = failed.breaches().stream().map(Breach::invariant).distinct().toList();
    RunShrinker shrinker =
        new RunShrinker(
            settings -> {
              Path candidate = path.resolve("smaller-" + number.incrementAndGet());
              List<Breach> found = new ChaosRun(settings, candidate).run().breaches();
              boolean same = found.stream().map(Breach::invariant).anyMatch(broken::contains);
              if (!same) {
                delete(candidate);
              }
              return same;
            },
            tries,
            patience);
    ChaosSettings smallest = shrinker.shrink(failed.settings());
    new RunFolder(path).write("smallest.json", smallest.toJson());
    return smallest;
  }

  /** Deletes a folder with everything in it, if there is one. */
  static void delete(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
