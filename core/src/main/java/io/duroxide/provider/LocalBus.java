package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What nodes and clients of one store in one process tell each other: nodes begin instances where
 * clients start them, and clients hear of commits. All of it is a hint; whoever is told nothing
 * asks the store. A provider has one bus and calls {@link #committed} after each commit. Decorators
 * of providers may extend it. Thread-safe.
 */
public class LocalBus {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers");

  private final List<Starter> starters = new CopyOnWriteArrayList<>();
  private final List<OrphanPolicy> orphanPolicies = new CopyOnWriteArrayList<>();
  private final Map<String, List<Watcher>> watchers = new ConcurrentHashMap<>();

  /** Nobody listens yet. */
  public LocalBus() {}

  /** Compared by identity, so that one listener may watch twice. */
  private static final class Watcher {
    final Consumer<? super TurnCommit> listener;

    Watcher(Consumer<? super TurnCommit> listener) {
      this.listener = listener;
    }
  }

  /** Compared by identity: each node has one. */
  private static final class OrphanPolicy {
    final OrphanQueuePolicy policy;

    OrphanPolicy(OrphanQueuePolicy policy) {
      this.policy = policy;
    }
  }

  /** A node tells what it does with mailbox messages for unknown instances, until closed. */
  public Subscription tellOrphanPolicy(OrphanQueuePolicy policy) {
    OrphanPolicy told = new OrphanPolicy(policy);
    orphanPolicies.add(told);
    return () -> orphanPolicies.remove(told);
  }

  /** Hold if there are nodes in this process and all of them hold; drop otherwise. */
  public OrphanQueuePolicy orphanPolicy() {
    List<OrphanPolicy> told = List.copyOf(orphanPolicies);
    boolean allHold =
        !told.isEmpty() && told.stream().allMatch(one -> one.policy == OrphanQueuePolicy.HOLD);
    return allHold ? OrphanQueuePolicy.HOLD : OrphanQueuePolicy.DROP;
  }

  /** Asks {@code starter} whenever a start is offered, until closed. */
  public Subscription beginStarts(Starter starter) {
    starters.add(starter);
    return () -> starters.remove(starter);
  }

  /** Whether a node has begun the instance; if not, the start is to be queued. */
  public boolean offer(WorkItem.StartOrchestration start) {
    for (Starter starter : starters) {
      Starter.Answer answer = starter.begin(start);
      if (answer != Starter.Answer.DECLINED) {
        return answer == Starter.Answer.STORED;
      }
    }
    return false;
  }

  /**
   * Tells {@code listener} each turn of {@code instance} that this process commits, until closed.
   * It must be quick, as the committer waits for it.
   */
  public Subscription watch(String instance, Consumer<? super TurnCommit> listener) {
    Watcher watcher = new Watcher(listener);
    watchers.merge(
        instance,
        List.of(watcher),
        (known, added) -> Stream.concat(known.stream(), added.stream()).toList());
    return () -> watchers.computeIfPresent(instance, (any, known) -> without(known, watcher));
  }

  private static @Nullable List<Watcher> without(List<Watcher> known, Watcher gone) {
    List<Watcher> left = known.stream().filter(watcher -> !watcher.equals(gone)).toList();
    return left.isEmpty() ? null : left;
  }

  /** For providers: a turn of {@code instance} is committed. To be called outside locks. */
  public void committed(String instance, TurnCommit commit) {
    for (Watcher watcher : watchers.getOrDefault(instance, List.of())) {
      try {
        watcher.listener.accept(commit);
      } catch (RuntimeException | Error failure) {
        LOG.atWarn().addKeyValue("instance_id", instance).setCause(failure).log("a watcher failed");
      }
    }
  }
}
