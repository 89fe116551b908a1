package io.duroxide.runtime;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ShortCut;
import io.duroxide.provider.Starter;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TurnSource;
import io.duroxide.replay.CodeLeft;
import io.duroxide.replay.Execution;
import io.duroxide.telemetry.NodeEvent.VainReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the first turn of an instance right where a client starts it, and commits both at once.
 *
 * <p>This is a short cut past the queue, for an instance that nobody has heard of and that this
 * node can run. Code does not run for one that exists, so it asks first. Whatever stands in its
 * way, the start is queued the ordinary way; so it is if the code computes for too long, or the
 * node closes meanwhile. Thread-safe.
 */
final class Starts implements Starter {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  /** A start that waits longer for its turn is queued. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final RuntimeParts parts;
  private final ExecutionCache cache;
  private final TurnStorage storage;
  private final Consumer<LockedWork> launch;
  private final boolean taken;
  private final Set<FirstTurn> underWay = ConcurrentHashMap.newKeySet();

  /**
   * A short cut.
   *
   * @param launch runs an activity for which a slot was taken
   */
  Starts(
      RuntimeParts parts, ExecutionCache cache, TurnStorage storage, Consumer<LockedWork> launch) {
    this.parts = parts;
    this.cache = cache;
    this.storage = storage;
    this.launch = launch;
    this.taken =
        parts.options().localSteps() > 0 && parts.provider().shortCuts().contains(ShortCut.START);
  }

  /** Hears of starts from now on. */
  Subscription listen() {
    return parts.provider().localBus().beginStarts(this);
  }

  /** The node closes: clients do not wait for code that still computes. */
  void leave() {
    underWay.forEach(FirstTurn::nudge);
  }

  @Override
  public Answer begin(WorkItem.StartOrchestration start) {
    if (!taken || cache.turns().slots().isClosed()) {
      return Answer.DECLINED;
    }
    OrchestrationItem item = item(start);
    if (!(parts.triage().of(item, null) instanceof Triage.Run run)) {
      return Answer.DECLINED;
    }
    FirstTurn turn = new FirstTurn(parts, item, cache.turns());
    Beginning beginning = new Beginning(start, item, run);
    if (!turn.tryBegin(LONGEST_WAIT)) {
      return Answer.DECLINED;
    }
    Optional<CommittedTurn> committed = inTurn(turn, beginning);
    // The turn has ended: what an activity brings about at once meets none under way.
    committed.ifPresent(done -> done.claimed().forEach(launch));
    return committed.isPresent() ? Answer.STORED : Answer.NOT_STORED;
  }

  /** An instance that may begin. */
  private record Beginning(
      WorkItem.StartOrchestration start, OrchestrationItem item, Triage.Run run) {
    TurnTask task(Execution execution) {
      return TurnTask.of(new TurnSource.NewInstance(start), item, run, execution);
    }
  }

  private Optional<CommittedTurn> inTurn(FirstTurn turn, Beginning beginning) {
    String instance = beginning.start().instance();
    boolean left = false;
    try {
      parts.signals().turnBegins(beginning.item());
      underWay.add(turn);
      if (parts.provider().status(instance).isPresent()) {
        return Optional.empty();
      }
      Execution execution = TurnRunner.fresh(beginning.run(), parts.engine());
      try {
        return storage.take(beginning.task(execution).withPatience(turn));
      } catch (CodeLeft e) {
        parts.signals().turnInVain(turn.isClosing() ? VainReason.CLOSED : VainReason.SLOW);
        LOG.atWarn()
            .addKeyValue("instance_id", instance)
            .log("the first turn is not waited for any longer, leaving it to the queue");
        turn.endAfter(execution);
        left = true;
      }
    } catch (ProviderException e) {
      LOG.debug("{}: the first turn was not stored: {}", instance, e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.atWarn()
          .addKeyValue("instance_id", instance)
          .setCause(e)
          .log("the first turn failed here, leaving it to the queue");
    } finally {
      leave(turn, left);
    }
    return Optional.empty();
  }

  private void leave(FirstTurn turn, boolean codeLeft) {
    try {
      underWay.remove(turn);
    } finally {
      if (!codeLeft) {
        turn.end();
      }
    }
  }

  /** What a fetch would return if the start were queued and nothing else. */
  private static OrchestrationItem item(WorkItem.StartOrchestration start) {
    String version = start.version();
    return new OrchestrationItem(
        new ExecutionKey(start.instance(), ExecutionKey.FIRST),
        start.orchestration(),
        version == null ? "unknown" : version,
        StoredHistory.of(List.of()),
        new MessageBatch(List.of(start), null));
  }
}
