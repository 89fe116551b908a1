package io.duroxide.proof.check;

import java.util.List;

/** Looks for breaches of a family of invariants. */
interface InvariantCheck {
  List<Breach> breaches(Evidence evidence);
}
