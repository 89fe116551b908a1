package io.duroxide.provider.memory;

import io.duroxide.model.ParentLink;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Children that nobody waits for. Guarded by the gate. */
final class Orphans {
  private final Instances instances;

  Orphans(Instances instances) {
    this.instances = instances;
  }

  OrphanPage page(OrphanFilter filter, @Nullable String after, int limit) {
    List<Instance> found =
        instances.existing().stream()
            .filter(instance -> after == null || instance.id().compareTo(after) > 0)
            .filter(instance -> kind(instance, filter).isPresent())
            .sorted(Comparator.comparing(Instance::id))
            .limit(limit + 1L)
            .toList();
    boolean more = found.size() > limit;
    List<Instance> shown = more ? found.subList(0, limit) : found;
    return new OrphanPage(
        shown.stream()
            .map(instance ->
                new Orphan(Listing.info(instance), kind(instance, filter).orElseThrow()))
            .toList(),
        more ? shown.getLast().id() : null);
  }

  /** Why it is an orphan that passes the filter; empty if it is none. */
  Optional<OrphanKind> kind(Instance instance, OrphanFilter filter) {
    ParentLink link = instance.parentLink();
    boolean wanted = filter.statuses().isEmpty() || filter.statuses().contains(instance.status());
    return link == null || !wanted
        ? Optional.empty()
        : kind(link).filter(kind -> filter.kinds().contains(kind) && isOld(kind, link, filter));
  }

  private Optional<OrphanKind> kind(ParentLink link) {
    Optional<Instance> parent = instances.existing(link.instance());
    if (parent.isEmpty()) {
      return Optional.of(OrphanKind.PARENT_GONE);
    }
    if (parent.get().isFinished()) {
      return Optional.of(OrphanKind.PARENT_FINISHED);
    }
    return parent.get().currentKey().executionId() > link.executionId()
        ? Optional.of(OrphanKind.PARENT_MOVED_ON)
        : Optional.empty();
  }

  private boolean isOld(OrphanKind kind, ParentLink link, OrphanFilter filter) {
    Instant before = filter.parentEndedBefore();
    if (before == null) {
      return true;
    }
    Optional<Instance> parent = instances.existing(link.instance());
    return switch (kind) {
      case PARENT_GONE -> true;
      case PARENT_FINISHED -> isBefore(parent.map(Instance::completedAt), before);
      case PARENT_MOVED_ON ->
          parent
              .flatMap(known -> Optional.ofNullable(known.executions().get(link.executionId())))
              .map(spawner -> isBefore(Optional.ofNullable(spawner.completedAt()), before))
              .orElse(true);
    };
  }

  private static boolean isBefore(Optional<Instant> instant, Instant end) {
    return instant.isPresent() && instant.get().isBefore(end);
  }
}
