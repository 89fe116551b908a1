package io.duroxide.runtime;

import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches instances that have something to do and gives each a turn on a thread of its own. */
final class OrchestrationDispatcher extends Dispatcher<LockedOrchestration> {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.dispatch");

  private final RuntimeParts parts;
  private final TurnProcessor processor;
  private final LeaseKeeper leases;
  private final WorkerDispatcher workers;
  private final OrchestrationFetch fetch;
  private final Duration renewalInterval;

  OrchestrationDispatcher(
      RuntimeParts parts,
      TurnProcessor processor,
      ExecutionCache cache,
      LeaseKeeper leases,
      WorkerDispatcher workers) {
    super("duroxide-orchestrations", parts, cache.turns().slots(), leases);
    this.workers = workers;
    this.parts = parts;
    this.processor = processor;
    this.leases = leases;
    RuntimeOptions options = parts.options();
    this.fetch =
        new OrchestrationFetch(
            options.orchestratorLockTimeout(),
            options.longPollTimeout(),
            filter(parts),
            cache,
            options.orphanQueuePolicy());
    this.renewalInterval =
        Backoffs.renewalInterval(
            options.orchestratorLockTimeout(), options.orchestratorLockRenewalBuffer());
  }

  private static DispatcherCapabilityFilter filter(RuntimeParts parts) {
    RuntimeOptions options = parts.options();
    return new DispatcherCapabilityFilter(
        options.supportedReplayVersions(),
        options.fetchOnlyRegistered() ? parts.orchestrations().filter() : null);
  }

  @Override
  WorkQueue queue() {
    return WorkQueue.ORCHESTRATOR;
  }

  @Override
  List<LockedOrchestration> fetch(int max, Duration longest) throws InterruptedException {
    OrchestrationFetch request =
        new OrchestrationFetch(
            fetch.lockTimeout(), longest, fetch.filter(), fetch.cached(), fetch.orphans());
    return parts.provider().fetchOrchestrationItems(request, max);
  }

  @Override
  void process(LockedOrchestration locked, Runnable done) {
    LeaseKeeper.Lease lease = lease(locked);
    try {
      turn(locked);
    } finally {
      lease.close();
    }
  }

  private void turn(LockedOrchestration locked) {
    try {
      parts.signals().turnBegins(locked.item());
      processor.process(locked).forEach(workers::launch);
    } finally {
      parts.signals().turnEnds(locked.item());
    }
  }

  private LeaseKeeper.Lease lease(LockedOrchestration locked) {
    return leases.keep(
        NodeEvent.LockKind.ORCHESTRATION,
        locked.lockToken(),
        fetch.lockTimeout(),
        renewalInterval,
        null);
  }

  @Override
  void handBack(LockedOrchestration locked) {
    try {
      parts.provider().abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, true);
    } catch (ProviderException e) {
      LOG.debug("could not hand {} back: {}", locked.item().execution(), e.getMessage());
    }
  }
}
