package io.duroxide.provider.postgres;

import io.duroxide.provider.StoreThread;
import io.duroxide.provider.SystemTime;
import io.duroxide.provider.WaitingRoom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of new work that other nodes have committed.
 *
 * <p>It begins when a fetch first waits, on a connection of its own, and says hello now and then,
 * also to itself: while that is heard, waiting fetches need to look by themselves only every five
 * seconds; otherwise every second, as behind a proxy that pools transactions, where nothing is ever
 * heard. Who has said hello is told of new work; a node that is alone sends nothing. Thread-safe.
 */
final class Listener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final Duration FALLBACK = Duration.ofSeconds(4);
  private static final Duration FALLBACK_WHEN_DEAF = Duration.ofSeconds(1);
  private static final int LISTEN_MILLIS = 500;
  private static final int SOON_MILLIS = 2;
  private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final long WAKE_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long LONGEST_PAUSE_MILLIS = 5000;
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final DataSource source;
  private final boolean lent;
  private final Store store;
  private final Herald herald;
  private final Rooms rooms;
  private final String self;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Map<String, Long> peers = new ConcurrentHashMap<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Earshot turns;
  private final Earshot work;
  private volatile long heardSelfAt;
  private volatile boolean hears;
  private volatile @Nullable Connection current;
  private boolean complained;
  private final StoreThread thread;

  Listener(Pool pool, Store store, Herald herald, Rooms rooms, long node) {
    this.source = pool.direct();
    this.lent = pool.owned() == null;
    this.store = store;
    this.herald = herald;
    this.rooms = rooms;
    this.self = Long.toHexString(node);
    this.turns = new Earshot(rooms.turns());
    this.work = new Earshot(rooms.work());
    this.thread = store.threads().loop("listener", new Work());
  }

  /** Wakes one waiter of each kind at a time, and not too often. Confined to the listener. */
  private final class Earshot {
    private final WaitingRoom room;
    private long lastWake = nanos.getAsLong() - WAKE_GAP_NANOS;
    private boolean due;

    Earshot(WaitingRoom room) {
      this.room = room;
    }

    void hear() {
      due = true;
      wakeIfDue();
    }

    boolean isDue() {
      return due;
    }

    void wakeIfDue() {
      long now = nanos.getAsLong();
      if (due && now - lastWake >= WAKE_GAP_NANOS) {
        due = false;
        lastWake = now;
        room.wake(1);
      }
    }
  }

  /** A fetch is about to wait. */
  void begin() {
    if (begun.compareAndSet(false, true)) {
      try {
        thread.start();
      } catch (Error noThread) {
        begun.set(false);
        thread.setbacks().note(noThread);
      }
    }
  }

  /** Whether this node hears what it tells itself. */
  boolean hears() {
    return hears;
  }

  /** How long a waiting fetch may go without looking by itself. */
  Duration fallback() {
    return hears ? FALLBACK : FALLBACK_WHEN_DEAF;
  }

  /** Whether somebody may be listening to what this node has to tell. */
  boolean hasPeers() {
    if (!hears) {
      return true;
    }
    long now = nanos.getAsLong();
    peers.values().removeIf(heardAt -> now - heardAt > FORGET_NANOS);
    return !peers.isEmpty();
  }

  /** The server's number for the connection that listens; 0 if there is none. */
  int backend() throws SQLException {
    Connection connection = current;
    return connection == null ? 0 : connection.unwrap(PGConnection.class).getBackendPID();
  }

  /** What the thread does. */
  private final class Work implements StoreThread.Rounds {
    private int failures;

    @Override
    public void next() {
      try (Connection connection = source.getConnection()) {
        current = connection;
        listenAndLeave(connection);
      } catch (SQLException failure) {
        LOG.debug("listening ended: {}", failure.getMessage());
        failures = hears ? 1 : failures + 1;
      } finally {
        current = null;
        hears = false;
      }
      pause(Math.min(LONGEST_PAUSE_MILLIS, 100L << Math.min(failures, 10)));
    }

    @Override
    public void ended() {}
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void pause(long millis) {
    try {
      boolean ended = closed.await(millis, TimeUnit.MILLISECONDS);
      LOG.trace("listening again, unless closed: {}", ended);
    } catch (InterruptedException nobodyDoesThis) {
      LOG.debug("interrupted before listening again");
    }
  }

  /** Whoever gets the connection next shall not be told what it never asked for. */
  private void listenAndLeave(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      listen(connection);
      statement.execute("UNLISTEN *");
    } catch (SQLException failure) {
      // There may be nobody who would answer.
      Trouble.abort(connection);
      throw failure;
    } catch (Error failure) {
      Trouble.cutOff(connection, failure);
      throw failure;
    }
  }

  private void listen(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.setAutoCommit(true);
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + store.schema().channel());
    }
    PGConnection channel = connection.unwrap(PGConnection.class);
    // What was told before this is lost.
    rooms.wakeAll();
    long helloAt = sayHello();
    while (!isClosed()) {
      boolean soon = turns.isDue() || work.isDue();
      PGNotification[] heard = channel.getNotifications(soon ? SOON_MILLIS : LISTEN_MILLIS);
      if (heard != null) {
        for (PGNotification one : heard) {
          hear(one.getParameter());
        }
      }
      turns.wakeIfDue();
      work.wakeIfDue();
      long now = nanos.getAsLong();
      boolean answered = heardSelfAt - helloAt >= 0 && hears;
      if (!answered && now - helloAt > ANSWER_NANOS) {
        complain();
        throw new SQLException("nothing is heard", "08006");
      }
      if (now - helloAt > HELLO_NANOS) {
        helloAt = sayHello();
      }
    }
  }

  private long sayHello() {
    long now = nanos.getAsLong();
    herald.tell(Herald.News.HELLO);
    return now;
  }

  private void complain() {
    if (!complained) {
      complained = true;
      LOG.warn(
          "notifications do not arrive, perhaps because a proxy pools transactions; waiting fetches"
              + " look for work every second instead");
    }
  }

  /** A node's name, a blank, and signs. */
  private void hear(String told) {
    int end = told.indexOf(' ');
    if (end < 0) {
      return;
    }
    String who = told.substring(0, end);
    String signs = told.substring(end + 1);
    boolean hello = signs.indexOf(Herald.News.HELLO.sign()) >= 0;
    if (who.equals(self)) {
      if (hello) {
        heardSelfAt = nanos.getAsLong();
        hears = true;
      }
      return;
    }
    if (hello && peers.put(who, nanos.getAsLong()) == null) {
      herald.tell(Herald.News.HELLO);
    }
    if (signs.indexOf(Herald.News.TURNS.sign()) >= 0) {
      turns.hear();
    }
    if (signs.indexOf(Herald.News.WORK.sign()) >= 0) {
      work.hear();
    }
  }

  /**
   * A connection of the user's pool goes back there usable: the thread is told to leave, and is cut
   * off only if it hangs. If no fetch has ever waited, there is nobody to tell.
   */
  @Override
  public void close() {
    closed.countDown();
    thread.stop();
    if (lent && begun.get()) {
      herald.tell(Herald.News.HELLO);
      if (current == null) {
        thread.interrupt();
      }
      if (thread.join(GRACE)) {
        return;
      }
    }
    Connection listening = current;
    if (listening != null) {
      Trouble.abort(listening);
    }
  }
}
