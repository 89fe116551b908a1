package io.duroxide.provider.tck;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.WorkRow;
import io.duroxide.provider.InstanceTransfer;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.tck.Twins.Answers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** What clients and operators see of two stores, and what they remove. */
final class TwinUpkeep {
  private static final List<ExecutionStatus> STATUSES =
      List.copyOf(EnumSet.allOf(ExecutionStatus.class));

  private final Twins twins;
  private final InstantSource clock;

  TwinUpkeep(Twins twins, InstantSource clock) {
    this.twins = twins;
    this.clock = clock;
  }

  Answers purge(SplittableRandom random) {
    Duration age = Duration.ofMillis(random.nextInt(600));
    return twins.both(store -> store.purgeOrphanMessages(age));
  }

  /** Everything that clients see of an instance. */
  Answers portrait(String instance, SplittableRandom random) {
    long seen = random.nextInt(3);
    return twins.both(store ->
        List.of(
            store.read(instance),
            store.readLast(instance),
            store.readWithExecution(new ExecutionKey(instance, 2)),
            store.status(instance),
            store.customStatus(instance, seen),
            store.kvAllValues(instance),
            store.kvValue(instance, "a"),
            store
                .instanceStats(instance)
                .map(stats ->
                    List.of(
                        stats.historyEventCount(),
                        stats.queuePendingCount(),
                        stats.kvUserKeyCount(),
                        stats.kvTotalValueBytes())),
            Twins.admin(store).listExecutions(instance),
            Twins.refusable(() -> Twins.admin(store).instanceInfo(instance)),
            Twins.refusable(() -> Twins.admin(store).executionInfo(new ExecutionKey(instance, 1))),
            Twins.refusable(() -> Twins.admin(store).parentId(instance)),
            Twins.refusable(() -> sorted(Twins.admin(store).instanceTree(instance))),
            sorted(Twins.admin(store).listChildren(instance))));
  }

  Answers list(SplittableRandom random) {
    InstanceQuery query = InstanceQuery.firstPage(filter(random), 2);
    return twins.both(store -> {
      List<Object> seen = new ArrayList<>();
      InstancePage page = Twins.admin(store).listInstances(query);
      seen.addAll(page.rows());
      while (page.next() != null) {
        page = Twins.admin(store).listInstances(query.after(page.next()));
        seen.addAll(page.rows());
      }
      seen.add(Twins.admin(store).listInstances());
      seen.add(Twins.admin(store).listInstancesByStatus("Running"));
      seen.add(Twins.admin(store).systemMetrics());
      seen.add(Twins.admin(store).queueDepths());
      return seen;
    });
  }

  /** Children that nobody waits for, one of which may go; and what waits for a node. */
  Answers stranded(RandomSupply supply, SplittableRandom random) {
    String one = supply.instance();
    OrphanFilter filter = orphans(random);
    boolean dryRun = random.nextBoolean();
    return twins.both(store ->
        List.of(
            Set.copyOf(Twins.admin(store).findOrphans(filter, null, 100).rows()),
            Twins.admin(store).deleteOrphan(one, filter, dryRun),
            Set.copyOf(Twins.admin(store).waitingWork(1_000, 0))));
  }

  /** Everything that is stored, as a copy would have it. */
  Answers takeOut() {
    return twins.both(store -> {
      InstanceTransfer transfer = Twins.admin(store).transfer();
      List<Object> all = new ArrayList<>();
      for (String id : sorted(transfer.listIds(null, 1_000))) {
        transfer
            .readInstance(id)
            .ifPresent(snapshot -> {
              all.add(awake(snapshot).renumbered());
              snapshot
                  .executions()
                  .forEach(row -> all.add(transfer.readEvents(snapshot.key(row), 0, 1_000)));
            });
      }
      return all;
    });
  }

  /** When a store notes that a delay is over is its own business. */
  private InstanceSnapshot awake(InstanceSnapshot snapshot) {
    List<WorkRow> activities =
        snapshot.activities().stream()
            .map(row -> {
              Instant at = row.visibleAt();
              boolean asleep = at != null && at.isAfter(clock.instant());
              return new WorkRow(row.position(), asleep ? at : null, row.attempts(), row.item());
            })
            .toList();
    return new InstanceSnapshot(
        snapshot.id(),
        snapshot.head(),
        snapshot.currentExecution(),
        snapshot.executions(),
        snapshot.values(),
        snapshot.inbox(),
        activities);
  }

  private OrphanFilter orphans(SplittableRandom random) {
    OrphanFilter filter = OrphanFilter.ALL;
    if (random.nextInt(3) == 0) {
      filter = filter.withStatuses(STATUSES.get(random.nextInt(STATUSES.size())));
    }
    return random.nextInt(3) == 0
        ? filter.parentEndedBefore(clock.instant().minusMillis(random.nextInt(400)))
        : filter;
  }

  private InstanceFilter filter(SplittableRandom random) {
    InstanceFilter filter =
        switch (random.nextInt(6)) {
          case 0 -> InstanceFilter.ids(List.of("c", "a", "c", "nobody"));
          case 1 -> InstanceFilter.ALL.roots();
          case 2 -> InstanceFilter.ALL.childrenOf("c");
          case 3 -> InstanceFilter.ALL.treeOf("c");
          default -> InstanceFilter.ALL;
        };
    if (random.nextBoolean()) {
      filter = filter.withStatuses(STATUSES.get(random.nextInt(STATUSES.size())));
    }
    if (random.nextBoolean()) {
      filter = random.nextBoolean() ? filter.withNamePrefix("Or") : filter.named("Order");
    }
    if (random.nextInt(3) == 0) {
      filter = filter.withIdPrefix("c");
    }
    if (random.nextInt(4) == 0) {
      filter = filter.withVersion("1.0.0");
    }
    Instant some = clock.instant().minusMillis(random.nextInt(400));
    return switch (random.nextInt(8)) {
      case 0 -> filter.createdFrom(some);
      case 1 -> filter.createdBefore(some);
      case 2 -> filter.completedFrom(some);
      case 3 -> filter.completedBefore(some);
      default -> filter;
    };
  }

  private static BulkDeletion bulk(SplittableRandom random) {
    return new BulkDeletion(1 + random.nextInt(2), random.nextBoolean(), random.nextBoolean());
  }

  Answers delete(RandomSupply supply, SplittableRandom random) {
    String one = supply.instance();
    String other = supply.instance();
    boolean force = random.nextBoolean();
    InstanceFilter filter = filter(random);
    BulkDeletion how = bulk(random);
    return switch (random.nextInt(3)) {
      case 0 -> twins.both(store -> Twins.admin(store).deleteInstance(one, force));
      case 1 ->
          twins.both(
              store -> Twins.admin(store).deleteInstancesAtomic(List.of(one, other, one), force));
      default -> twins.both(store -> Twins.admin(store).deleteInstanceBulk(filter, how));
    };
  }

  Answers prune(RandomSupply supply, SplittableRandom random) {
    String instance = supply.instance();
    PruneOptions options =
        new PruneOptions(
            random.nextBoolean() ? random.nextInt(3) : null,
            random.nextBoolean() ? clock.instant().minusMillis(100) : null,
            random.nextInt(2));
    InstanceFilter filter = filter(random);
    return random.nextBoolean()
        ? twins.both(store -> Twins.admin(store).pruneExecutions(instance, options))
        : twins.both(store -> Twins.admin(store).pruneExecutionsBulk(filter, options, 2));
  }

  private static List<String> sorted(List<String> ids) {
    return ids.stream().sorted().toList();
  }
}
