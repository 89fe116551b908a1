package io.duroxide.runtime;

import io.duroxide.provider.OrchestrationItem;
import io.duroxide.replay.Execution;
import io.duroxide.replay.Patience;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The first turn of an instance on the thread of the client that starts it.
 *
 * <p>The client waits for its code no longer than the node allows, nor for a node that closes. Code
 * that is left behind keeps its turn until it stops. Thread-safe.
 */
final class FirstTurn implements Patience {
  private final RuntimeParts parts;
  private final OrchestrationItem item;
  private final InstanceTurns turns;
  private final long until;
  private final Thread caller = Thread.currentThread();
  private Optional<InstanceTurns.Turn> turn = Optional.empty();

  /** A turn on the calling thread. */
  FirstTurn(RuntimeParts parts, OrchestrationItem item, InstanceTurns turns) {
    this.parts = parts;
    this.item = item;
    this.turns = turns;
    this.until = parts.time().nanoTime() + parts.options().blockingLimit().toNanos();
  }

  /** Begins it, to be ended, if the node has a slot for it soon. */
  boolean tryBegin(Duration wait) {
    turn = turns.tryBeginStart(item.instance(), wait);
    return turn.isPresent();
  }

  @Override
  public boolean isOver() {
    return isClosing() || parts.time().nanoTime() - until >= 0;
  }

  /** Whether the node closes, so that nothing more is stored from here. */
  boolean isClosing() {
    return turns.slots().isClosed();
  }

  /** Has the caller ask again whether to wait. */
  void nudge() {
    LockSupport.unpark(caller);
  }

  /** It has ended. */
  void end() {
    try {
      parts.signals().stepEnds(item);
    } finally {
      turn.ifPresent(InstanceTurns.Turn::close);
    }
  }

  /** Ends it on a thread of its own, once the code that was left behind has stopped. */
  void endAfter(Execution left) {
    parts.threads().virtual("duroxide-left-turn", () -> awaitEnd(left)).start();
  }

  private void awaitEnd(Execution left) {
    try {
      left.awaitCode();
      left.discard();
    } finally {
      end();
    }
  }
}
