package io.duroxide.runtime;

import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.TurnSource;
import io.duroxide.replay.Execution;
import io.duroxide.replay.Patience;

/**
 * A turn that is to be taken.
 *
 * @param execution belongs to the turn from now on
 * @param patience how long to wait for the code
 * @param ownedSlots how many slots the caller has for the activities that the turn asks for
 * @param onStored runs once the turn is stored, before it is told
 */
record TurnTask(
    TurnSource source,
    OrchestrationItem item,
    Triage.Run run,
    Execution execution,
    Patience patience,
    int ownedSlots,
    Runnable onStored) {

  /** Waits for the code for as long as it takes. */
  static TurnTask of(
      TurnSource source, OrchestrationItem item, Triage.Run run, Execution execution) {
    return new TurnTask(source, item, run, execution, Patience.ENDLESS, 0, () -> {});
  }

  TurnTask withPatience(Patience newPatience) {
    return new TurnTask(source, item, run, execution, newPatience, ownedSlots, onStored);
  }

  TurnTask withOwnedSlots(int newOwnedSlots) {
    return new TurnTask(source, item, run, execution, patience, newOwnedSlots, onStored);
  }

  TurnTask withOnStored(Runnable newOnStored) {
    return new TurnTask(source, item, run, execution, patience, ownedSlots, newOnStored);
  }
}
