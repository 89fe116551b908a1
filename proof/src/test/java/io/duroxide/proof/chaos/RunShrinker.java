package io.duroxide.proof.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Leaves out what a failing run does not need to fail. */
final class RunShrinker {
  private final Predicate<ChaosSettings> fails;
  private final int tries;
  private final long until;

  /**
   * A shrinker.
   *
   * @param fails runs a candidate once
   * @param tries how often a candidate is run; it counts as failing if it fails once
   * @param patience no candidate is begun after this time
   */
  RunShrinker(Predicate<ChaosSettings> fails, int tries, Duration patience) {
    this.fails = fails;
    this.tries = tries;
    this.until = System.nanoTime() + patience.toNanos();
  }

  /** The smallest run that it found to fail. */
  ChaosSettings shrink(ChaosSettings failing) {
    ChaosSettings smallest = failing;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (ChaosSettings candidate : candidates(smallest)) {
        if (isFailing(candidate)) {
          smallest = candidate;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  private boolean isFailing(ChaosSettings candidate) {
    for (int i = 0; i < tries && System.nanoTime() < until; i++) {
      if (fails.test(candidate)) {
        return true;
      }
    }
    return false;
  }

  /** The boldest first. */
  private static List<ChaosSettings> candidates(ChaosSettings settings) {
    List<ChaosSettings> candidates = new ArrayList<>();
    ChaosSettings.Load load = settings.load();
    List<Integer> programs = load.programs();
    List<Integer> entities = load.entities();
    int contests = load.contests();
    if (!programs.isEmpty()) {
      candidates.add(settings.withLoad(List.of(), entities, contests));
    }
    if (!entities.isEmpty()) {
      candidates.add(settings.withLoad(programs, List.of(), contests));
    }
    if (contests > 0) {
      candidates.add(settings.withLoad(programs, entities, 0));
    }
    for (List<Integer> half : halves(programs)) {
      candidates.add(settings.withLoad(half, entities, contests));
    }
    for (List<Integer> half : halves(entities)) {
      candidates.add(settings.withLoad(programs, half, contests));
    }
    for (FaultKind kind : settings.faults().keySet()) {
      candidates.add(settings.without(kind));
    }
    if (settings.clients() > 0 && !settings.isShortOfHeap()) {
      candidates.add(settings.withClients(0));
    }
    if (settings.nodes() > 1) {
      candidates.add(settings.withNodes(settings.nodes() - 1));
    }
    for (FaultKind kind : settings.faults().keySet()) {
      if (settings.count(kind) > 1) {
        candidates.add(settings.withFewer(kind));
      }
    }
    return candidates;
  }

  private static List<List<Integer>> halves(List<Integer> all) {
    int middle = all.size() / 2;
    return middle == 0
        ? List.of()
        : List.of(all.subList(0, middle), all.subList(middle, all.size()));
  }
}
