package io.duroxide.runtime;

import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
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
  private static final int MAX_BATCH = 64;

  private final String name;
  private final RuntimeParts parts;
  private final Slots slots;
  private final Thread poller;

  Dispatcher(String name, RuntimeParts parts, Slots slots) {
    this.name = name;
    this.parts = parts;
    this.slots = slots;
    this.poller = Thread.ofVirtual().name(name + "-" + parts.runtimeId()).unstarted(this::poll);
  }

  /** For those who begin the same work by another way. */
  final Slots slots() {
    return slots;
  }

  /** What it fetches from. */
  abstract WorkQueue queue();

  /** Locks up to {@code max} items, waiting for the first as long as the provider allows. */
  abstract List<T> fetch(int max) throws InterruptedException;

  /**
   * Works on an item.
   *
   * @param done frees the slot; called exactly once
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
    int failures = 0;
    while (!slots.isClosed()) {
      try {
        slots.take();
      } catch (InterruptedException e) {
        continue;
      }
      List<T> items = List.of();
      try {
        long began = parts.time().nanoTime();
        items = fetch(Math.min(MAX_BATCH, 1 + slots.free()));
        failures = 0;
        parts.signals().fetched(queue(), items.size());
        if (items.isEmpty()) {
          restAfterEmpty(began);
        }
      } catch (InterruptedException e) {
        LOG.debug("{} was interrupted", name);
      } catch (ProviderException e) {
        failures = failed(failures, e);
      } catch (RuntimeException | Error e) {
        LOG.error("{}: the fetch failed unexpectedly", name, e);
        parts.signals().fetchFailed(queue(), e);
        failures++;
        parts.pause(Backoffs.afterFailedFetch(failures));
      }
      launchAll(items);
    }
  }

  /** The first item has the poller's slot; meanwhile others may have taken those of the rest. */
  private void launchAll(List<T> items) {
    if (items.isEmpty()) {
      slots.giveBack();
      return;
    }
    launch(items.getFirst());
    for (T item : items.subList(1, items.size())) {
      if (slots.tryTake()) {
        launch(item);
      } else {
        handBack(item);
      }
    }
  }

  /** Begins to work on an item for which a slot was taken. */
  final void launch(T item) {
    Thread.ofVirtual().name(name).start(() -> process(item, slots::giveBack));
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

  /** Whether it still fetches. */
  final boolean isAlive() {
    return poller.isAlive();
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
