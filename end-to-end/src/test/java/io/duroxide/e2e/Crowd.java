package io.duroxide.e2e;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Activities that stay until they are dismissed, and how many there were at a time. Thread-safe.
 */
final class Crowd {
  private final CountDownLatch dismissed = new CountDownLatch(1);
  private final AtomicInteger present = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Set<String> passing = ConcurrentHashMap.newKeySet();

  String stay(String name) throws InterruptedException {
    most.accumulateAndGet(present.incrementAndGet(), Math::max);
    seen.add(name);
    try {
      if (!passing.contains(name)) {
        dismissed.await(World.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      }
      return name;
    } finally {
      present.decrementAndGet();
    }
  }

  /** Lets activities of this name go at once. */
  void letPass(String name) {
    passing.add(name);
  }

  void dismiss() {
    dismissed.countDown();
  }

  int present() {
    return present.get();
  }

  int most() {
    return most.get();
  }

  /** Names in the order in which they came. */
  List<String> seen() {
    return List.copyOf(seen);
  }
}
