package io.duroxide.runtime;

import io.duroxide.model.AutoPrune;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.StorageEvent.PruneSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prunes in the background, as often as the configuration of the moment says. Several nodes may do
 * the same work; the second finds nothing left to do. Thread-safe.
 */
final class PruneSweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.pruning");

  /** How often to look at the configuration while nothing is due. */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final RuntimeParts parts;
  private final Pruner pruner;
  private final RoundGuard guard;
  private final Thread thread;
  private volatile boolean closed;

  PruneSweeper(RuntimeParts parts) {
    this.parts = parts;
    this.pruner = new Pruner(parts);
    this.guard =
        new RoundGuard("duroxide-sweeper-" + parts.runtimeId(), parts.time(), parts.signals()::met);
    this.thread = parts.threads().virtual("duroxide-sweeper-" + parts.runtimeId(), this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    guard.loop(() -> !closed, () -> sweep(awaitDue()));
    LOG.debug("sweeping ends");
  }

  /** The thread that does it. */
  Thread thread() {
    return thread;
  }

  /** Rests for the interval; what the configuration says at its end is what is due. */
  private PruneSweep awaitDue() throws InterruptedException {
    long since = parts.time().nanoTime();
    while (true) {
      PruneSweep sweep = parts.options().autoPrune().sweep();
      if (sweep == null) {
        parts.time().sleep(LOOK);
        since = parts.time().nanoTime();
        continue;
      }
      Duration left = sweep.interval().minusNanos(parts.time().nanoTime() - since);
      if (!left.isPositive()) {
        return sweep;
      }
      parts.time().sleep(left.compareTo(LOOK) < 0 ? left : LOOK);
    }
  }

  private void sweep(PruneSweep sweep) throws InterruptedException {
    try {
      ProviderAdmin admin = parts.provider().management().orElse(null);
      if (admin != null) {
        pruneInstances(admin, sweep.limit());
        deleteInstances(admin, sweep);
      }
    } catch (ProviderException e) {
      LOG.warn("sweep failed, trying again later: {}", e.getMessage());
    }
  }

  private void pruneInstances(ProviderAdmin admin, int limit) throws InterruptedException {
    InstanceQuery query = InstanceQuery.firstPage(limit);
    InstancePage page = admin.listInstances(query);
    while (true) {
      for (InstanceInfo row : page.rows()) {
        if (row.current().executionId() > ExecutionKey.FIRST) {
          prune(admin, row);
        }
      }
      if (page.next() == null) {
        return;
      }
      checkInterrupt();
      page = admin.listInstances(query.after(page.next()));
    }
  }

  /** What cannot be read is kept. */
  private void prune(ProviderAdmin admin, InstanceInfo row) {
    AutoPrune instance;
    try {
      instance = setting(admin.readHistory(row.current(), 0, 1));
    } catch (ProviderException e) {
      if (e.kind() != ProviderException.Kind.CORRUPT_DATA) {
        throw e;
      }
      return;
    }
    pruner
        .plan()
        .atSweep(instance, row.orchestration())
        .map(prune -> new PrunePlan.Prune(prune.options(), PruneSource.SWEEP))
        .ifPresent(prune ->
            pruner.tell(
                row.orchestration().name(),
                row.instance(),
                prune,
                pruner.prune(row.instance(), prune.options())));
  }

  private static @Nullable AutoPrune setting(List<Event> first) {
    return !first.isEmpty()
            && first.getFirst().kind() instanceof EventKind.OrchestrationStarted started
        ? started.inheritance().autoPrune()
        : null;
  }

  private void deleteInstances(ProviderAdmin admin, PruneSweep sweep) throws InterruptedException {
    for (var entry : sweep.instanceRetention().entrySet()) {
      ExecutionStatus status = entry.getKey();
      Instant end = parts.provider().now().minus(entry.getValue());
      InstanceFilter old = InstanceFilter.ALL.withStatuses(status).completedBefore(end);
      DeleteResult deleted;
      do {
        checkInterrupt();
        deleted = admin.deleteInstanceBulk(old, BulkDeletion.DEFAULT.withLimit(sweep.limit()));
        if (deleted.instancesDeleted() > 0) {
          LOG.atInfo()
              .addKeyValue("status", status)
              .addKeyValue("completed_before", end)
              .addKeyValue("instances_deleted", deleted.instancesDeleted())
              .log("deleted old instances");
        }
      } while (deleted.instancesDeleted() > 0);
    }
  }

  private static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
