package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One fetch of instances: which are next, and what does their turn need? Guarded by the gate. */
final class TurnSearch implements WaitingRoom.Search<LockedOrchestration> {
  private static final System.Logger LOG = System.getLogger(TurnSearch.class.getName());
  private static final String UNKNOWN = "unknown";

  private final Tables tables;
  private final OrchestrationFetch request;
  private final int max;

  TurnSearch(Tables tables, OrchestrationFetch request, int max) {
    this.tables = tables;
    this.request = request;
    this.max = max;
  }

  @Override
  public Object interest() {
    return Optional.ofNullable(request.filter());
  }

  @Override
  public Instant nextChange() {
    return tables.orchestratorQueue().nextChange();
  }

  @Override
  public List<LockedOrchestration> attempt() {
    List<Inbox> candidates = new ArrayList<>();
    List<Inbox> orphans = new ArrayList<>();
    for (Inbox inbox : tables.orchestratorQueue().ready()) {
      if (inbox.isOrphaned() && !tables.instances().isKnown(inbox.instance())) {
        orphans.add(inbox);
      } else if (isEligible(inbox)) {
        candidates.add(inbox);
      }
      if (candidates.size() >= max) {
        break;
      }
    }
    orphans.forEach(this::drop);
    return candidates.stream().map(this::take).toList();
  }

  /** Queue messages for an instance that is neither known nor about to start reach nobody. */
  private void drop(Inbox inbox) {
    int dropped = tables.orchestratorQueue().clear(inbox.instance());
    LOG.log(
        System.Logger.Level.WARNING,
        "dropped {0} queue message(s) for unknown instance {1}",
        dropped,
        inbox.instance());
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
    Semver pin = instance.map(Instance::current).map(Execution::pin).orElse(null);
    return filter.admitsPin(pin) && hasHandler(filter, inbox, instance);
  }

  /** What cannot be told because it is damaged passes: somebody has to fetch it and give it up. */
  private boolean hasHandler(
      DispatcherCapabilityFilter filter, Inbox inbox, Optional<Instance> instance) {
    if (filter.handlers() == null) {
      return true;
    }
    List<Message> batch = inbox.visible(tables.now());
    return first(batch, WorkItem.ContinueAsNew.class)
        .map(next -> filter.admitsHandler(next.orchestration(), next.version()))
        .or(() -> instance.flatMap(TurnSearch::recorded).map(known -> admits(filter, known)))
        .or(() ->
            first(batch, WorkItem.StartOrchestration.class)
                .map(start -> filter.admitsHandler(start.orchestration(), start.version())))
        .orElse(true);
  }

  private static boolean admits(DispatcherCapabilityFilter filter, OrchestrationIdentity known) {
    return filter.admitsHandler(known.name(), known.version());
  }

  private LockedOrchestration take(Inbox inbox) {
    List<Message> batch = inbox.visible(tables.now());
    OrchestrationItem item = item(inbox.instance(), batch);
    String token = tables.orchestratorQueue().take(inbox, batch, request.lockTimeout());
    int attempts = batch.stream().mapToInt(Message::attempts).max().orElse(0);
    return new LockedOrchestration(item, token, attempts);
  }

  private OrchestrationItem item(String id, List<Message> batch) {
    Optional<Instance> instance = tables.instances().find(id);
    ExecutionKey key =
        instance.map(Instance::currentKey).orElse(new ExecutionKey(id, ExecutionKey.FIRST));
    OrchestrationIdentity identity =
        instance.flatMap(TurnSearch::recorded).orElseGet(() -> announced(batch));
    StoredHistory history = history(instance.map(Instance::current).orElse(null), key);
    return new OrchestrationItem(
        key,
        identity.name(),
        identity.version(),
        history,
        new MessageBatch(readable(batch), damageOf(batch)),
        snapshot(instance, history));
  }

  private StoredHistory history(@Nullable Execution current, ExecutionKey key) {
    return current == null
        ? StoredHistory.of(List.of())
        : current.fetch(request.cached().lastEventId(key));
  }

  private static Map<String, KvEntry> snapshot(Optional<Instance> instance, StoredHistory history) {
    boolean needed = history.error() == null && history.after() == 0;
    return needed ? instance.map(known -> known.kv().snapshot()).orElse(Map.of()) : Map.of();
  }

  /** Name and version of the row, else those in the history. */
  private static Optional<OrchestrationIdentity> recorded(Instance instance) {
    return instance
        .orchestration()
        .or(() ->
            instance
                .latest()
                .flatMap(Execution::start)
                .map(start -> new OrchestrationIdentity(start.name(), start.version())));
  }

  /** Name and version of the start among the messages, wherever it stands. */
  private static OrchestrationIdentity announced(List<Message> batch) {
    return first(batch, WorkItem.StartLike.class)
        .map(start ->
            new OrchestrationIdentity(
                start.orchestration(), Objects.requireNonNullElse(start.version(), UNKNOWN)))
        .orElse(new OrchestrationIdentity(UNKNOWN, UNKNOWN));
  }

  private static <T extends WorkItem> Optional<T> first(List<Message> batch, Class<T> kind) {
    return batch.stream()
        .filter(message -> message.damage() == null && kind.isInstance(message.item()))
        .map(message -> kind.cast(message.item()))
        .findFirst();
  }

  private static List<WorkItem> readable(List<Message> batch) {
    return batch.stream()
        .filter(message -> message.damage() == null)
        .map(message -> (WorkItem) message.item())
        .toList();
  }

  private static @Nullable String damageOf(List<Message> batch) {
    String damage =
        batch.stream()
            .filter(message -> message.damage() != null)
            .map(message -> "message " + message.seq() + ": " + message.damage())
            .collect(Collectors.joining("; "));
    return damage.isEmpty() ? null : damage;
  }
}
