package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.ExecutionRef;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.TelemetryListener;
import io.duroxide.telemetry.TurnEnd;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Tells listeners of executions, from what is committed. Thread-safe. */
final class Narration {
  private final TelemetryListener listener;
  private final Waiting time;
  private final InstantSource clock;
  private final Tallies tallies;
  private final Map<String, Long> began = new ConcurrentHashMap<>();

  /**
   * @param clock the store's
   */
  Narration(TelemetryListener listener, Waiting time, InstantSource clock, Tallies tallies) {
    this.listener = listener;
    this.time = time;
    this.clock = clock;
    this.tallies = tallies;
  }

  /** An instance is about to be dealt with; one turn of it at a time. */
  void begins(OrchestrationItem item) {
    began.put(item.instance(), time.nanoTime());
  }

  /** It was not committed, and it does not matter. */
  void forget(OrchestrationItem item) {
    began.remove(item.instance());
  }

  /** The instance was given back, if nothing was committed. */
  void ends(OrchestrationItem item) {
    Long began = this.began.remove(item.instance());
    if (began != null) {
      int messages = item.messages().items().size();
      ExecutionEvent.TurnWork work =
          new ExecutionEvent.TurnWork(
              messages, 0, 0, item.history() instanceof StoredHistory.Rest, null);
      listener.on(
          new ExecutionEvent.TurnFinished(
              ref(item), TurnEnd.HANDED_BACK, work, since(began), clock.instant()));
    }
  }

  void committed(TurnRecord turn, boolean overLimit) {
    Long began = this.began.remove(turn.item().instance());
    TurnEnd end = turn.end();
    Tally tally = end == TurnEnd.DRAINED ? null : tallies.take(turn);
    ExecutionRef execution = tally == null ? ref(turn) : tally.execution();
    Event first = turn.first();
    Event last = turn.last();
    if (first != null) {
      listener.on(new ExecutionEvent.Started(execution, turn.initiator(), first.stamp().at()));
    }
    if (tally != null) {
      tally.add(turn.delta()).forEach(listener::on);
    }
    detachedStarts(turn, execution);
    Instant now = clock.instant();
    listener.on(
        new ExecutionEvent.TurnFinished(
            execution, end, turn.work(now), began == null ? Duration.ZERO : since(began), now));
    if (last != null && last.kind() instanceof EventKind.Terminal terminal) {
      listener.on(
          new ExecutionEvent.Ended(
              execution,
              TurnRecord.ending(terminal),
              TurnRecord.failure(terminal, overLimit),
              tally == null ? null : tally.totals(),
              last.stamp().at()));
    } else if (tally != null) {
      tallies.keep(tally);
    }
    dropped(turn, last);
  }

  private void detachedStarts(TurnRecord turn, ExecutionRef execution) {
    for (Event event : turn.delta()) {
      if (event.kind() instanceof EventKind.OrchestrationChained started) {
        listener.on(
            new ExecutionEvent.DetachedStart(
                execution, started.name(), started.instance(), event.stamp().at()));
      }
    }
  }

  private void dropped(TurnRecord turn, @Nullable Event last) {
    int dropped = turn.dropped();
    if (dropped > 0) {
      listener.on(new NodeEvent.MessagesDropped(reason(turn, last), dropped));
    }
  }

  private static NodeEvent.DropReason reason(TurnRecord turn, @Nullable Event last) {
    if (turn.end() == TurnEnd.DRAINED) {
      return turn.neverStarted()
          ? NodeEvent.DropReason.NEVER_STARTED
          : NodeEvent.DropReason.INSTANCE_ENDED;
    }
    boolean ended =
        last != null
            && last.kind() instanceof EventKind.Terminal terminal
            && TurnRecord.ending(terminal) != Ending.CONTINUED_AS_NEW;
    return ended ? NodeEvent.DropReason.INSTANCE_ENDED : NodeEvent.DropReason.STALE;
  }

  static ExecutionRef ref(OrchestrationItem item) {
    return new ExecutionRef(
        item.execution(), item.orchestrationName(), item.version(), parent(item));
  }

  private static ExecutionRef ref(TurnRecord turn) {
    OrchestrationItem item = turn.item();
    return new ExecutionRef(turn.key(), item.orchestrationName(), item.version(), parent(item));
  }

  private static @Nullable ParentLink parent(OrchestrationItem item) {
    return !item.history().events().isEmpty()
            && item.history().events().getFirst().kind()
                instanceof EventKind.OrchestrationStarted started
        ? started.parent()
        : null;
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(time.nanoTime() - nanos);
  }
}
