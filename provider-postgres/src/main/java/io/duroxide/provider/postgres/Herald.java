package io.duroxide.provider.postgres;

import io.duroxide.provider.StoreThread;
import io.duroxide.provider.SystemTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other nodes of new work.
 *
 * <p>It does so after the commit and on a connection of its own: a transaction that notifies takes
 * a lock that all of a database share, and commits shall not wait for each other. What comes within
 * a few milliseconds goes out as one. What is never sent, because the process dies, others find by
 * looking. Thread-safe.
 */
final class Herald implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Store store;
  private final long node;
  private final LongSupplier nanos = SystemTime.nanos();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<News> pending = EnumSet.noneOf(News.class);
  private final StoreThread thread;
  private boolean closed;

  /** What there is to tell. */
  enum News {
    /** Instances can be fetched. */
    TURNS('t'),
    /** Activities can be fetched. */
    WORK('w'),
    /** This node listens. */
    HELLO('h');

    private final char sign;

    News(char sign) {
      this.sign = sign;
    }

    char sign() {
      return sign;
    }
  }

  Herald(Store store, long node) {
    this.store = store;
    this.node = node;
    this.thread = store.threads().loop("herald", new Work());
  }

  /** Sends this soon. */
  void tell(News news) {
    lock.lock();
    try {
      if (closed || !pending.add(news)) {
        return;
      }
      begin();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** What cannot be told now is told with the next news, and found by others anyway. */
  private void begin() {
    if (thread.isBegun()) {
      return;
    }
    try {
      thread.start();
    } catch (Error noThread) {
      pending.clear();
      thread.setbacks().note(noThread);
    }
  }

  /** What the thread does. */
  private final class Work implements StoreThread.Rounds {
    private long notBefore = nanos.getAsLong();

    @Override
    public void next() throws InterruptedException {
      Set<News> news = take(notBefore);
      if (news.isEmpty()) {
        return;
      }
      try {
        send(news);
        notBefore = nanos.getAsLong() + GAP_NANOS;
      } catch (SQLException failure) {
        LOG.debug("could not tell other nodes of new work: {}", failure.getMessage());
        notBefore = nanos.getAsLong() + AFTER_FAILURE.toNanos();
      } catch (Error failure) {
        keep(news);
        throw failure;
      }
    }

    @Override
    public void ended() {}
  }

  /** To be sent with the next round. */
  private void keep(Set<News> news) {
    lock.lock();
    try {
      pending.addAll(news);
    } finally {
      lock.unlock();
    }
  }

  /** What is to be sent, once there is something and the time has come; nothing after the end. */
  private Set<News> take(long notBefore) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && pending.isEmpty()) {
        changed.await();
      }
      long left = notBefore - nanos.getAsLong();
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      Set<News> taken = closed ? Set.of() : EnumSet.copyOf(pending);
      pending.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private static final String NOTIFY =
      """
      SELECT pg_notify(?, ?)
      """;

  private void send(Set<News> news) throws SQLException {
    StringBuilder payload = new StringBuilder(Long.toHexString(node)).append(' ');
    news.forEach(one -> payload.append(one.sign()));
    try (Connection connection = store.connection()) {
      notify(connection, payload.toString());
    }
  }

  private void notify(Connection connection, String payload) throws SQLException {
    try {
      new Sql(connection, store.schema()).exists(NOTIFY, store.schema().channel(), payload);
    } catch (Error failure) {
      Trouble.cutOff(connection, failure);
      throw failure;
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      thread.stop();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
