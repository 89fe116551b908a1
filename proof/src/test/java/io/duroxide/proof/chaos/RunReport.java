package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Breach;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What came of a run.
 *
 * @param struck how many faults of each kind happened
 * @param born with which options nodes were born
 * @param took all of it
 * @param settling from the last fault until everything had ended
 */
public record RunReport(
    ChaosSettings settings,
    List<Breach> breaches,
    Map<FaultKind, Integer> struck,
    Set<OptionSet> born,
    Duration took,
    Duration settling) {

  /** For people. */
  public String text() {
    return """
    seed %d on %s
    faults %s, option sets %s
    took %s, settled after %s
    breaches: %d
    %s
    """
        .formatted(
            settings.seed(),
            settings.store(),
            struck,
            born,
            took,
            settling,
            breaches.size(),
            breaches.stream().map(Breach::toString).collect(Collectors.joining("\n")));
  }
}
