package io.duroxide.provider.postgres;

import io.duroxide.provider.SystemTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that waits for a connection of a pool. The pool may be the user's and let it wait for
 * longer than the store has patience; then others end the wait by an interrupt. Thread-safe.
 */
final class Borrowing {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");

  private final LongSupplier nanos = SystemTime.nanos();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Thread borrower;
  private long since;
  private boolean hurried;

  Connection from(Store store) throws SQLException {
    begin();
    try {
      return store.connection();
    } finally {
      end();
    }
  }

  private void begin() {
    lock.lock();
    try {
      hurried = false;
      since = nanos.getAsLong();
      borrower = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      borrower = null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the last wait was ended by others; an interrupt of the thread is theirs then. */
  boolean wasHurried() {
    lock.lock();
    try {
      return hurried;
    } finally {
      lock.unlock();
    }
  }

  /** Takes an interrupt back that was meant to end the wait. */
  void calm() {
    if (wasHurried() && Thread.interrupted()) {
      LOG.debug("a wait for a connection was ended");
    }
  }

  /** Ends a wait that has lasted this long. */
  void hurry(long patienceNanos) {
    lock.lock();
    try {
      if (borrower != null && !hurried && nanos.getAsLong() - since >= patienceNanos) {
        hurried = true;
        borrower.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
