package io.duroxide.provider.memory;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The one lock that guards a whole store: every operation is one step inside it, which is how this
 * store keeps each of them atomic. Thread-safe.
 */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private Runnable look = () -> {};
  private boolean closed;

  /** An operation that may wait inside. */
  @FunctionalInterface
  interface Waiting<T> {
    T get() throws InterruptedException;
  }

  /** What is done before each operation, inside. */
  void beforeEach(Runnable newLook) {
    look = newLook;
  }

  /** To be called by operations that have waited inside. */
  void look() {
    look.run();
  }

  /** Runs one operation of an open store. */
  <T> T enter(String operation, Supplier<T> body) {
    lock.lock();
    try {
      begin(operation);
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  void run(String operation, Runnable body) {
    lock.lock();
    try {
      begin(operation);
      body.run();
    } finally {
      lock.unlock();
    }
  }

  <T> T enterWaiting(String operation, Waiting<T> body) throws InterruptedException {
    lock.lock();
    try {
      begin(operation);
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /** Runs {@code body} even if the store was closed. */
  void always(Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  Condition newCondition() {
    return lock.newCondition();
  }

  private void begin(String operation) {
    if (closed) {
      throw Refusal.closed(operation);
    }
    look();
  }
}
