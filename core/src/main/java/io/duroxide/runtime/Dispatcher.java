package io.duroxide.runtime;

import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded loop: fetch as much as there are free slots for, process each item on a virtual thread.
 *
 * @param <T> a locked item
 */
abstract class Dispatcher<T> {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.dispatch");
  private static final Duration AFTER_PERMANENT_ERROR = Duration.ofMillis(100);
  private static final Duration WHILE_BEHIND = Duration.ofMillis(100);
  private static final int MAX_BATCH = 64;

  private final String name;
  private final RuntimeParts parts;
  private final Slots slots;
  private final LeaseKeeper leases;
  private final RoundGuard guard;
  private final Thread poller;
  private int failures;

  Dispatcher(String name, RuntimeParts parts, Slots slots, LeaseKeeper leases) {
    this.name = name;
    this.parts = parts;
    this.slots = slots;
    this.leases = leases;
    this.guard = new RoundGuard(name + "-" + parts.runtimeId(), parts.time(), parts.signals()::met);
    this.poller = parts.threads().virtual(name + "-" + parts.runtimeId(), this::poll);
  }

  /** For those who begin the same work by another way. */
  final Slots slots() {
    return slots;
  }

  /** What it fetches from. */
  abstract WorkQueue queue();

  /**
   * Locks up to {@code max} items, waiting for the first as long as the provider allows.
   *
   * @param longest how long to wait for the first
   */
  abstract List<T> fetch(int max, Duration longest) throws InterruptedException;

  /**
   * Works on an item.
   *
   * @param done frees the slot, which is free at the latest when this returns
   */
  abstract void process(T item, Runnable done);

  /** Releases an item for which there is no slot after all. */
  abstract void handBack(T item);

  final void start() {
    if (slots.size() > 0) {
      poller.start();
    }
  }

  private void poll() {
    guard.loop(() -> !slots.isClosed(), this::round);
  }

  private void round() throws InterruptedException {
    slots.take();
    List<T> items = List.of();
    try {
      items = fetchOrRest();
    } finally {
      if (items.isEmpty()) {
        slots.giveBack();
      }
    }
    launchAll(items);
  }

  private List<T> fetchOrRest() throws InterruptedException {
    if (leases.isBehind()) {
      parts.time().sleep(WHILE_BEHIND);
      return List.of();
    }
    List<T> items;
    long began = parts.time().nanoTime();
    try {
      items = fetch(Math.min(MAX_BATCH, 1 + slots.free()), longestPoll());
      failures = 0;
    } catch (ProviderException e) {
      failures = failed(failures, e);
      return List.of();
    } catch (RuntimeException | Error e) {
      parts.signals().fetchFailed(queue(), e);
      throw e;
    }
    parts.signals().fetched(queue(), items.size());
    if (items.isEmpty()) {
      restAfterEmpty(began);
    }
    return items;
  }

  /** After a failure nobody shall have to wait for a long poll to know that the store is back. */
  private Duration longestPoll() {
    return failures > 0 ? Duration.ZERO : parts.options().longPollTimeout();
  }

  /** The first item has the poller's slot; meanwhile others may have taken those of the rest. */
  private void launchAll(List<T> items) {
    boolean slotTaken = true;
    for (T item : items) {
      if (slotTaken || slots.tryTake()) {
        launch(item);
      } else {
        handBackQuietly(item);
      }
      slotTaken = false;
    }
  }

  /** Begins to work on an item for which a slot was taken; hands it back if no thread can. */
  final void launch(T item) {
    try {
      Release slot = new Release(slots::giveBack);
      parts.threads().virtual(name, () -> run(item, slot)).start();
    } catch (RuntimeException | Error e) {
      slots.giveBack();
      guard.note(e);
      handBackQuietly(item);
    }
  }

  private void handBackQuietly(T item) {
    try {
      handBack(item);
    } catch (RuntimeException | Error e) {
      guard.note(e);
    }
  }

  /** An error of the JVM ends no thread unseen; the lock of the item ends by itself then. */
  private void run(T item, Release slot) {
    try {
      process(item, slot);
    } catch (Throwable e) {
      guard.note(e);
    } finally {
      slot.run();
    }
  }

  /** A provider that answers "nothing" at once must not be asked in a tight loop. */
  private void restAfterEmpty(long began) throws InterruptedException {
    long rest = parts.options().minPollInterval().toNanos() - (parts.time().nanoTime() - began);
    if (rest > 0 && !slots.isClosed()) {
      parts.time().sleep(Duration.ofNanos(rest));
    }
  }

  private int failed(int failures, ProviderException e) {
    if (slots.isClosed()) {
      return failures;
    }
    LOG.warn("{}: fetch failed: {}", name, e.getMessage());
    parts.signals().fetchFailed(queue(), e);
    if (!e.retryable()) {
      parts.pause(AFTER_PERMANENT_ERROR);
      return 0;
    }
    parts.pause(Backoffs.afterFailedFetch(failures + 1));
    return failures + 1;
  }

  /** The thread that fetches; none if there is nothing to fetch for. */
  final Optional<Thread> thread() {
    return slots.size() == 0 ? Optional.empty() : Optional.of(poller);
  }

  /** Stops fetching at once; what is in progress goes on. */
  final void stop() {
    slots.close();
    poller.interrupt();
  }

  /** Waits until nothing more is fetched; false when the time is over first. */
  final boolean awaitStopped(Duration timeout) throws InterruptedException {
    return slots.size() == 0 || poller.join(timeout);
  }

  /** Waits until nothing is in progress; false when the time is over first. */
  final boolean awaitIdle(Duration timeout) throws InterruptedException {
    return slots.awaitIdle(timeout);
  }
}
