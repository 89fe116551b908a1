package io.duroxide.proof.check;

import java.util.ArrayList;
import java.util.List;

/** Collects what a check finds. */
final class Breaches {
  private final List<Breach> found = new ArrayList<>();

  /** Adds a breach unless this holds. */
  void unless(boolean holds, String invariant, String where, String what) {
    if (!holds) {
      add(invariant, where, what);
    }
  }

  void add(String invariant, String where, String what) {
    found.add(new Breach(invariant, where, what));
  }

  List<Breach> all() {
    return List.copyOf(found);
  }
}
