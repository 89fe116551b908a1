package io.duroxide.proof.chaos;

import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Faults that end later, each at its own time whatever else happens meanwhile: a process that
 * stands still may hold what another one waits for. A slot has one at a time. Thread-safe.
 */
final class LastingFaults implements AutoCloseable {
  private static final int THREADS = 4;

  private final ScheduledExecutorService timer =
      Executors.newScheduledThreadPool(
          THREADS, Thread.ofPlatform().daemon().name("fault-", 0).factory());
  private final Map<Integer, Future<?>> ends = new ConcurrentHashMap<>();

  /** The fault of a slot is over when this has run, which it does after so many milliseconds. */
  void add(int slot, long millis, Runnable end) {
    ends.put(slot, timer.schedule(end, millis, TimeUnit.MILLISECONDS));
  }

  boolean holds(int slot) {
    Future<?> end = ends.get(slot);
    return end != null && !end.isDone();
  }

  /** Waits for the end of the fault of a slot, if it has one. */
  void await(int slot) {
    Future<?> end = ends.get(slot);
    if (end != null) {
      await(end);
    }
  }

  void awaitAll() {
    ends.values().forEach(LastingFaults::await);
  }

  private static void await(Future<?> end) {
    try {
      end.get();
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits until all of them have ended. */
  @Override
  public void close() {
    timer.close();
  }
}
