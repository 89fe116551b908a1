package io.duroxide.proof.check;

import java.util.List;

/** IV-14: no turn is stored under a lock that has ended. */
final class LockCheck implements InvariantCheck {
  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    for (Entry entry : evidence.entries()) {
      if (entry instanceof Entry.Overdue overdue) {
        breaches.add(
            "IV-14",
            overdue.node(),
            "a turn was stored %d ms after the end of its lock %s"
                .formatted(overdue.late(), overdue.token()));
      }
    }
    return breaches.all();
  }
}
