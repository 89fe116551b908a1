package io.duroxide.runtime;

import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
  private final int concurrency;
  private final Semaphore slots;
  private final Thread poller;
  private volatile boolean stopping;

  Dispatcher(String name, RuntimeParts parts, int concurrency) {
    this.name = name;
    this.parts = parts;
    this.concurrency = concurrency;
    this.slots = new Semaphore(concurrency);
    this.poller = Thread.ofVirtual().name(name + "-" + parts.runtimeId()).unstarted(this::poll);
  }

  /** Locks up to {@code max} items, waiting for the first as long as the provider allows. */
  abstract List<T> fetch(int max) throws InterruptedException;

  /**
   * Works on an item.
   *
   * @param done frees the slot; called exactly once
   */
  abstract void process(T item, Runnable done);

  final void start() {
    if (concurrency > 0) {
      poller.start();
    }
  }

  private void poll() {
    int failures = 0;
    while (!stopping) {
      int free = 0;
      try {
        free = acquireSlots();
        long began = parts.time().nanoTime();
        List<T> items = fetch(free);
        failures = 0;
        slots.release(free - items.size());
        free = 0;
        items.forEach(this::launch);
        if (items.isEmpty()) {
          restAfterEmpty(began);
        }
      } catch (InterruptedException e) {
        slots.release(free);
        if (!stopping) {
          LOG.debug("{} was interrupted", name);
        }
      } catch (ProviderException e) {
        slots.release(free);
        failures = failed(failures, e);
      } catch (RuntimeException | Error e) {
        slots.release(free);
        LOG.error("{}: the fetch failed unexpectedly", name, e);
        failures++;
        parts.pause(Backoffs.afterFailedFetch(failures));
      }
    }
  }

  private int acquireSlots() throws InterruptedException {
    slots.acquire();
    int more = 0;
    while (more < MAX_BATCH - 1 && slots.tryAcquire()) {
      more++;
    }
    return 1 + more;
  }

  private void launch(T item) {
    Thread.ofVirtual().name(name).start(() -> process(item, slots::release));
  }

  /** A provider that answers "nothing" at once must not be asked in a tight loop. */
  private void restAfterEmpty(long began) throws InterruptedException {
    long rest = parts.options().minPollInterval().toNanos() - (parts.time().nanoTime() - began);
    if (rest > 0 && !stopping) {
      parts.time().sleep(Duration.ofNanos(rest));
    }
  }

  private int failed(int failures, ProviderException e) {
    if (stopping) {
      return failures;
    }
    LOG.warn("{}: fetch failed: {}", name, e.getMessage());
    if (!e.retryable()) {
      parts.pause(AFTER_PERMANENT_ERROR);
      return 0;
    }
    parts.pause(Backoffs.afterFailedFetch(failures + 1));
    return failures + 1;
  }

  /** Stops fetching at once; what is in progress goes on. */
  final void stop() {
    stopping = true;
    poller.interrupt();
  }

  /** Waits until nothing more is fetched; false when the time is over first. */
  final boolean awaitStopped(Duration timeout) throws InterruptedException {
    return concurrency == 0 || poller.join(timeout);
  }

  /** Waits until nothing is in progress; false when the time is over first. */
  final boolean awaitIdle(Duration timeout) throws InterruptedException {
    boolean idle = slots.tryAcquire(concurrency, timeout.toNanos(), TimeUnit.NANOSECONDS);
    if (idle) {
      slots.release(concurrency);
    }
    return idle;
  }
}
