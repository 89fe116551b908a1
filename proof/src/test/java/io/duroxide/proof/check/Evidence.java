package io.duroxide.proof.check;

import io.duroxide.model.WorkItem;
import io.duroxide.proof.program.EntityPlan;
import io.duroxide.proof.program.Program;
import io.duroxide.provider.Provider;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that the checks look at.
 *
 * @param archive what the store holds
 * @param trails what clients know
 * @param address of the store's database, for the driver
 * @param programs as they were to be started, each under its name
 * @param entries of all ledgers
 * @param logs the folder with the logs of all processes
 */
record Evidence(
    Provider store,
    Archive archive,
    String address,
    List<Program> programs,
    List<EntityPlan> entities,
    List<Entry> entries,
    List<CallTrail> trails,
    Path logs,
    RunFacts facts) {

  static Evidence of(Scene scene) {
    return new Evidence(
        scene.store(),
        Archive.of(scene.store()),
        scene.address(),
        scene.programs(),
        scene.entities(),
        scene.entries(),
        CallTrail.of(scene.entries()),
        scene.logs(),
        scene.facts());
  }

  /** Instances that a client may have deleted. */
  Set<String> deleted() {
    return trails.stream()
        .filter(trail -> trail.deed() == Entry.Deed.DELETE && trail.most() > 0)
        .map(CallTrail::instance)
        .collect(Collectors.toSet());
  }

  /**
   * Whether all that is stored of an instance are events that its own activities may have raised
   * after a client deleted it: on a node that was killed or stopped meanwhile they run late.
   */
  boolean isRaisedAfterDeletion(Archive.Stored stored) {
    OptionalLong deletedAt =
        trails.stream()
            .filter(trail -> trail.deed() == Entry.Deed.DELETE)
            .filter(trail -> trail.instance().equals(stored.id()))
            .mapToLong(trail -> trail.attempts().getFirst().intent().at())
            .min();
    return deletedAt.isPresent()
        && stored.executions().isEmpty()
        && stored.inbox().allMatch(WorkItem.ExternalRaised.class::isInstance)
        && hasRunSince(stored.id(), deletedAt.getAsLong());
  }

  private boolean hasRunSince(String instance, long at) {
    Set<Entry.Work> endedBefore =
        entries.stream()
            .filter(entry -> entry instanceof Entry.Ended ended && ended.at() < at)
            .map(entry -> ((Entry.Ended) entry).work())
            .collect(Collectors.toSet());
    return entries.stream()
        .filter(Entry.Began.class::isInstance)
        .map(entry -> ((Entry.Began) entry).work())
        .anyMatch(work -> work.instance().equals(instance) && !endedBefore.contains(work));
  }
}
