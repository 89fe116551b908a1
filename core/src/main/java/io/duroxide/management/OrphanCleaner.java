package io.duroxide.management;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One clean-up of orphans, used once. */
final class OrphanCleaner {
  private static final int PAGE = 100;

  private final Provider store;
  private final ProviderAdmin admin;
  private final OrphanFilter filter;
  private final OrphanCleaning how;
  private final Map<OrphanKind, Long> byKind = new EnumMap<>(OrphanKind.class);
  private final Map<String, DeleteResult> deletions = new HashMap<>();
  private final Set<String> descendants = new HashSet<>();
  private long running;
  private long cancels;

  OrphanCleaner(Provider store, ProviderAdmin admin, OrphanFilter filter, OrphanCleaning how) {
    this.store = store;
    this.admin = admin;
    this.filter = filter;
    this.how = how;
  }

  CleanedOrphans clean() {
    int left = how.limit();
    @Nullable String after = null;
    while (left > 0) {
      OrphanPage page = admin.findOrphans(filter, after, Math.min(PAGE, left));
      page.rows().forEach(this::clean);
      left -= page.rows().size();
      after = page.next();
      if (after == null) {
        break;
      }
    }
    return new CleanedOrphans(deleted(), running, cancels);
  }

  private void clean(Orphan orphan) {
    InstanceInfo instance = orphan.instance();
    String id = instance.instance();
    if (!instance.isFinished()) {
      running++;
      cancel(id);
      return;
    }
    DeleteResult result = admin.deleteOrphan(id, filter, how.dryRun());
    if (result.instancesDeleted() > 0) {
      deletions.put(id, result);
      byKind.merge(orphan.kind(), result.instancesDeleted(), Long::sum);
      if (how.dryRun()) {
        noteDescendants(id);
      }
    }
  }

  private void noteDescendants(String id) {
    for (String child : admin.listChildren(id)) {
      if (descendants.add(child)) {
        noteDescendants(child);
      }
    }
  }

  private void cancel(String id) {
    if (!how.cancelRunning()) {
      return;
    }
    cancels++;
    if (!how.dryRun()) {
      store.enqueueForOrchestrator(
          new WorkItem.CancelInstance(id, "orphaned", null), Duration.ZERO);
    }
  }

  /** Each tree once: a dry run meets orphans below other orphans that a deletion would not. */
  private DeleteResult deleted() {
    return deletions.entrySet().stream()
        .filter(entry -> !descendants.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .reduce(DeleteResult.NONE, DeleteResult::plus);
  }

  /** How many instances were deleted, by what became of the parent of the topmost. */
  Map<OrphanKind, Long> byKind() {
    return byKind;
  }
}
