package io.duroxide.proof.check;

import java.util.List;

/**
 * What was seen of a run from outside.
 *
 * @param incidents the faults as they happened
 * @param calmAt when the last of them was over
 * @param settledMillis how long it took until everything had ended after that
 * @param open what had not ended in time; empty if all did
 * @param health what nodes that were not up in time said
 * @param left what processes left behind that were closed
 */
public record RunFacts(
    List<Incident> incidents,
    long calmAt,
    long settledMillis,
    List<String> open,
    List<String> health,
    List<String> left) {}
