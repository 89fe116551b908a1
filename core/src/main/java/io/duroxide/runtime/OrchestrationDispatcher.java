package io.duroxide.runtime;

import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import java.time.Duration;
import java.util.List;

/** Fetches instances that have something to do and gives each a turn on a thread of its own. */
final class OrchestrationDispatcher extends Dispatcher<LockedOrchestration> {
  private final RuntimeParts parts;
  private final TurnProcessor processor;
  private final LeaseKeeper leases;
  private final OrchestrationFetch fetch;
  private final Duration renewalInterval;

  OrchestrationDispatcher(
      RuntimeParts parts, TurnProcessor processor, ExecutionCache cache, LeaseKeeper leases) {
    super("duroxide-orchestrations", parts, parts.options().orchestrationConcurrency());
    this.parts = parts;
    this.processor = processor;
    this.leases = leases;
    RuntimeOptions options = parts.options();
    this.fetch =
        new OrchestrationFetch(
            options.orchestratorLockTimeout(), options.longPollTimeout(), filter(parts), cache);
    this.renewalInterval =
        Backoffs.renewalInterval(options.orchestratorLockTimeout(), options.lockRenewalBuffer());
  }

  private static DispatcherCapabilityFilter filter(RuntimeParts parts) {
    RuntimeOptions options = parts.options();
    return new DispatcherCapabilityFilter(
        options.supportedReplayVersions(),
        options.fetchOnlyRegistered() ? parts.orchestrations().filter() : null);
  }

  @Override
  List<LockedOrchestration> fetch(int max) throws InterruptedException {
    return parts.provider().fetchOrchestrationItems(fetch, max);
  }

  @Override
  void process(LockedOrchestration locked, Runnable done) {
    LeaseKeeper.Lease lease =
        leases.keep(
            extension -> parts.provider().renewOrchestrationItemLock(locked.lockToken(), extension),
            fetch.lockTimeout(),
            renewalInterval,
            null);
    try {
      processor.process(locked);
    } finally {
      lease.close();
      done.run();
    }
  }
}
