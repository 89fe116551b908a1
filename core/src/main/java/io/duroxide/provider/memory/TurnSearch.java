package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.OrphanQueuePolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One fetch of instances: which are next? Guarded by the gate. */
final class TurnSearch implements WaitingRoom.Search<LockedOrchestration> {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.memory");

  private final Tables tables;
  private final OrchestrationFetch request;
  private final int max;

  TurnSearch(Tables tables, OrchestrationFetch request, int max) {
    this.tables = tables;
    this.request = request;
    this.max = max;
  }

  /** An instance about to be locked. */
  private record Candidate(Inbox inbox, Batch batch, OrchestrationItem item) {}

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public Instant nextChange() {
    return tables.orchestratorQueue().nextChange();
  }

  /** Everything is read before anything is locked, so that a failure leaves no lock (L1). */
  @Override
  public List<LockedOrchestration> attempt() {
    List<Inbox> eligible = new ArrayList<>();
    List<Inbox> orphans = new ArrayList<>();
    for (Inbox inbox : tables.orchestratorQueue().ready()) {
      if (inbox.isOrphaned() && !tables.instances().isKnown(inbox.instance())) {
        orphans.add(inbox);
      } else if (isEligible(inbox)) {
        eligible.add(inbox);
      }
      if (eligible.size() >= max) {
        break;
      }
    }
    orphans.forEach(this::dropOrHold);
    return bounded(eligible).stream().map(this::take).toList();
  }

  /** As many as one fetch returns, and at least one. */
  private List<Candidate> bounded(List<Inbox> eligible) {
    List<Candidate> candidates = new ArrayList<>(eligible.size());
    long bytes = 0;
    for (Inbox inbox : eligible) {
      Batch batch = inbox.visible(tables.now()).bounded();
      bytes += batch.bytes();
      if (!candidates.isEmpty() && bytes > BatchBound.FETCH_BYTES) {
        break;
      }
      candidates.add(candidate(inbox, batch));
    }
    return candidates;
  }

  /** Queue messages for an instance that is neither known nor about to start reach nobody. */
  private void dropOrHold(Inbox inbox) {
    if (request.orphans() == OrphanQueuePolicy.HOLD) {
      tables.orchestratorQueue().leaveLine(inbox);
      return;
    }
    int dropped = tables.orchestratorQueue().clear(inbox.instance());
    tables.orchestratorQueue().noteDropped(dropped);
    LOG.atWarn()
        .addKeyValue("instance_id", inbox.instance())
        .addKeyValue("messages", dropped)
        .log("dropped queue messages for an unknown instance");
  }

  private boolean isEligible(Inbox inbox) {
    if (!inbox.isDue(tables.now())) {
      return false;
    }
    DispatcherCapabilityFilter filter = request.filter();
    if (filter == null) {
      return true;
    }
    Optional<Instance> instance = tables.instances().find(inbox.instance());
    ExecutionPin pin = instance.map(Instance::current).map(Execution::pin).orElse(null);
    return filter.admitsPin(pin) && hasHandler(filter, inbox, instance);
  }

  /**
   * A new execution runs what its start asks for, a recorded one what is recorded. What comes for
   * one that has ended needs no code. What cannot be told because it is damaged passes: somebody
   * has to fetch it and give it up.
   */
  private boolean hasHandler(
      DispatcherCapabilityFilter filter, Inbox inbox, Optional<Instance> instance) {
    if (filter.handlers() == null) {
      return true;
    }
    Batch batch = inbox.visible(tables.now());
    return batch
        .first(WorkItem.ContinueAsNew.class)
        .map(next -> filter.admitsHandler(next.orchestration(), next.version()))
        .or(() -> instance.filter(Instance::hasEnded).map(ended -> true))
        .or(() -> instance.filter(Instance::awaitsStart).flatMap(next -> admits(filter, batch)))
        .or(() -> instance.flatMap(Instance::recorded).map(known -> admits(filter, known)))
        .or(() -> admits(filter, batch))
        .orElse(true);
  }

  private static Optional<Boolean> admits(DispatcherCapabilityFilter filter, Batch batch) {
    return batch
        .first(WorkItem.StartOrchestration.class)
        .map(start -> filter.admitsHandler(start.orchestration(), start.version()));
  }

  private static boolean admits(DispatcherCapabilityFilter filter, OrchestrationIdentity known) {
    return filter.admitsHandler(known.name(), known.version());
  }

  private Candidate candidate(Inbox inbox, Batch batch) {
    Optional<Instance> instance = tables.instances().find(inbox.instance());
    OrchestrationItem item =
        new TurnReader(inbox.instance(), instance, batch).read(request.cached());
    return new Candidate(inbox, batch, item);
  }

  private LockedOrchestration take(Candidate candidate) {
    Batch batch = candidate.batch();
    String token = tables.orchestratorQueue().take(candidate.inbox(), batch, request.lockTimeout());
    return new LockedOrchestration(candidate.item(), token, batch.attempts());
  }
}
