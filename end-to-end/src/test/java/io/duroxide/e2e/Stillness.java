package io.duroxide.e2e;

import io.duroxide.provider.Provider;
import io.duroxide.provider.QueueDepths;
import io.duroxide.runtime.RuntimeOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Waits until the nodes of a world have nothing to do, and keeps them so while the clock moves: a
 * clock that moves while a turn runs ends the lock of that turn, or not, as chance has it.
 *
 * <p>The world is still when no running node has anything in hand but what the test holds, and
 * nothing is ready, or every node looked for it and may not take it. Thread-safe.
 */
final class Stillness {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<NodeTraffic> nodes = new ArrayList<>();
  private boolean barred;
  private long changes;

  /** The store for a node that starts. */
  Provider join(Provider store, RuntimeOptions options) {
    NodeTraffic node = new NodeTraffic(this, options);
    change(() -> nodes.add(node));
    return node.on(store);
  }

  /** Waits until no more than {@code held} items are in hand, and moves the clock then. */
  synchronized void pass(int held, Supplier<QueueDepths> depths, Runnable move) {
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    lock.lock();
    try {
      changes++;
      while (!(held == 0 && isEmpty(depths.get())) && !isStill(held, depths, end)) {
        if (System.nanoTime() > end) {
          throw new AssertionError(
              "the clock cannot move, something is in flight: " + nodes + ", " + depths.get());
        }
      }
      move.run();
    } finally {
      barred = false;
      changed.signalAll();
      lock.unlock();
    }
  }

  /** One snapshot without anything ready or locked: without the test nothing can happen. */
  private static boolean isEmpty(QueueDepths depths) {
    return isNothingReady(depths) && depths.orchestrator().locked() + depths.worker().locked() == 0;
  }

  private static boolean isNothingReady(QueueDepths depths) {
    return depths.orchestrator().ready() + depths.worker().ready() == 0;
  }

  /** Looks once, and waits for something to happen if not; if so, the nodes are barred. */
  private boolean isStill(int held, Supplier<QueueDepths> depths, long end) {
    awaitUntil(() -> inHand() == held, end);
    barred = true;
    awaitUntil(() -> running().noneMatch(NodeTraffic::isFetching), end);
    if (inHand() == held && (isNothingReady(depths.get()) || isNothingWanted())) {
      return true;
    }
    barred = false;
    changed.signalAll();
    awaitUntil(() -> inHand() != held || isNothingWanted(), end);
    return false;
  }

  /** Whether each node has looked for work and found none since anything changed. */
  private boolean isNothingWanted() {
    return running().allMatch(node -> node.wantsNothing(changes));
  }

  private Stream<NodeTraffic> running() {
    return nodes.stream().filter(node -> !node.isStopped());
  }

  private int inHand() {
    return running().mapToInt(NodeTraffic::inHand).sum();
  }

  private void awaitUntil(BooleanSupplier condition, long end) {
    try {
      while (!condition.getAsBoolean() && System.nanoTime() < end) {
        changed.awaitNanos(end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting for the nodes", e);
    }
  }

  /**
   * A node is about to fetch; waits while nodes are barred. Returns how much has changed by then.
   */
  long enter(Runnable change) throws InterruptedException {
    lock.lock();
    try {
      while (barred) {
        changed.await();
      }
      change.run();
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /** A node took something, or is done with something. */
  void change(Runnable change) {
    note(() -> {
      changes++;
      change.run();
    });
  }

  /** Something happened at a node that leaves the store as it is. */
  void note(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
