package io.duroxide.provider;

import io.duroxide.model.ExecutionStatus;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which orphans; all criteria must hold.
 *
 * @param kinds why nobody waits for them
 * @param statuses statuses of their current executions; empty for any
 * @param parentEndedBefore the parent, or its execution that asked for the child, ended before this
 *     instant, or is no longer stored; null for any time
 */
public record OrphanFilter(
    Set<OrphanKind> kinds, Set<ExecutionStatus> statuses, @Nullable Instant parentEndedBefore) {
  /** Every orphan. */
  public static final OrphanFilter ALL =
      new OrphanFilter(EnumSet.allOf(OrphanKind.class), Set.of(), null);

  public OrphanFilter {
    kinds = Set.copyOf(kinds);
    statuses = Set.copyOf(statuses);
  }

  public OrphanFilter withKinds(OrphanKind first, OrphanKind... more) {
    return new OrphanFilter(EnumSet.of(first, more), statuses, parentEndedBefore);
  }

  public OrphanFilter withStatuses(ExecutionStatus first, ExecutionStatus... more) {
    return new OrphanFilter(kinds, EnumSet.of(first, more), parentEndedBefore);
  }

  public OrphanFilter parentEndedBefore(Instant instant) {
    return new OrphanFilter(kinds, statuses, instant);
  }
}
