package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one who writes: a thread of its own, or a caller while there is nothing else to do.
 *
 * <p>A caller that finds the store idle, where commands come one at a time, runs its own itself,
 * which saves it two changes of thread. Otherwise the command waits, and so do others: the thread
 * takes all of them, runs them in one transaction, commits once, and answers. Whoever writes holds
 * a lock, and tells others after it. A command that refuses does so before it has written, and its
 * neighbours do not notice. One that fails later takes the transaction down with it; then each
 * command of the group runs alone, so that only the bad one fails. A fetch that waits for what a
 * group makes ready is run with it.
 *
 * <p>While fetches wait it also looks for commits of other processes: every 50 ms at first, then
 * ever more rarely up to once a second, for as long as there are none. Thread-safe.
 */
final class Writer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final long SHORTEST_LOOK_MILLIS = 50;
  private static final long LONGEST_LOOK_MILLIS = 1000;
  private static final long JOIN_MILLIS = 1000;
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final Trouble trouble;
  private final Tables tables;
  private final Rooms rooms;
  private final BlockingQueue<Pending<?>> queue;
  private final int groupSize;
  private final Thread thread;
  private final ReentrantLock writing = new ReentrantLock();
  private final List<News> news = new ArrayList<>();
  private final Pending<Boolean> nothing = new Pending<>("close", any -> true, false);
  private @Nullable Guest guest;
  private boolean foreign;
  private volatile boolean crowded;
  private volatile boolean closed;
  private long lookMillis = SHORTEST_LOOK_MILLIS;

  Writer(Database database, Tables tables, Rooms rooms) {
    this.trouble = database.trouble();
    this.tables = tables;
    this.rooms = rooms;
    this.queue = new ArrayBlockingQueue<>(database.options().queueSize());
    this.groupSize = database.options().groupSize();
    this.thread =
        Thread.ofPlatform()
            .name("duroxide-sqlite-writer " + database.label())
            .daemon()
            .unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  /** Runs a command and returns its answer once it is committed for good. */
  <T> T call(String operation, Command<T> command) {
    return enqueue(new Pending<>(operation, command, true));
  }

  /** Runs a command that does nothing but take locks; a loss of power may undo it. */
  <T> T lease(String operation, Command<T> command) {
    return enqueue(new Pending<>(operation, command, false));
  }

  private <T> T enqueue(Pending<T> pending) {
    String operation = pending.operation();
    checkOpen(operation);
    if (isIdle() && writing.tryLock()) {
      if (closed) {
        writing.unlock();
        throw Refusal.closed(operation);
      }
      commitAndUnlock(List.of(pending));
      return pending.await();
    }
    if (!queue.offer(pending)) {
      waitForRoom(pending);
    }
    if (closed && queue.remove(pending)) {
      throw Refusal.closed(operation);
    }
    return pending.await();
  }

  private void waitForRoom(Pending<?> pending) {
    try {
      queue.put(pending);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw Refusal.interrupted(pending.operation());
    }
  }

  /**
   * A caller that waits for the disk may keep a processor from other virtual threads. Where several
   * come at a time it would write alone what others could have joined.
   */
  private boolean isIdle() {
    return PROCESSORS > 1 && !crowded && queue.isEmpty() && !writing.hasQueuedThreads();
  }

  /** What a commit has made ready. */
  private record News(Wakes.News turns, Wakes.News work) {
    long tell(Rooms rooms, long turnsSeen) {
      work.tell(rooms.work(), rooms.work().generation());
      return turns.tell(rooms.turns(), turnsSeen);
    }
  }

  /** A command without an answer. */
  @FunctionalInterface
  interface Action {
    void run(Tables tables) throws SQLException;
  }

  void run(String operation, Action action) {
    call(operation, answering(action));
  }

  private static Command<Boolean> answering(Action action) {
    return tables -> {
      action.run(tables);
      return true;
    };
  }

  /** Extends or releases a lock; a loss of power may undo it. */
  void move(String operation, Action action) {
    lease(operation, answering(action));
  }

  /** How many commands wait; the thread may hold the first of them while a caller writes. */
  int waiting() {
    return queue.size() + (writing.hasQueuedThreads() ? 1 : 0);
  }

  void checkOpen(String operation) {
    if (closed) {
      throw Refusal.closed(operation);
    }
  }

  private void work() {
    List<Pending<?>> group = new ArrayList<>();
    while (!closed) {
      Pending<?> first = next();
      if (first == null) {
        lookAround();
        continue;
      }
      group.add(first);
      writing.lock();
      queue.drainTo(group, groupSize - 1);
      crowded = group.size() > 1;
      commitAndUnlock(group);
      group.clear();
    }
    queue.drainTo(group);
    group.forEach(late -> late.fail(Refusal.closed(late.operation())));
    group.forEach(Pending::publish);
    writing.lock();
    try {
      closeConnection();
    } finally {
      writing.unlock();
    }
  }

  private @Nullable Pending<?> next() {
    try {
      return queue.poll(lookMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException nobodyDoesThis) {
      return null;
    }
  }

  /**
   * Nothing to do for a while: has another process brought something? Whoever finds nothing begins
   * to wait only after its look was answered, so this goes on while nobody seems to wait.
   */
  private void lookAround() {
    if (!writing.tryLock()) {
      return;
    }
    try {
      if (rooms.anyoneWaits() && tables.tx().sawForeignCommit()) {
        lookMillis = SHORTEST_LOOK_MILLIS;
        rooms.wakeOneEach();
      } else {
        lookMillis = Math.min(lookMillis * 2, LONGEST_LOOK_MILLIS);
      }
    } catch (SQLException failure) {
      LOG.atWarn().setCause(failure).log("cannot look for commits of other processes");
      lookMillis = LONGEST_LOOK_MILLIS;
    } finally {
      writing.unlock();
    }
  }

  /** Whoever hears of it, from an answer or because there is work, finds the store free again. */
  private void commitAndUnlock(List<Pending<?>> group) {
    List<News> told;
    Guest served;
    boolean others;
    try {
      commit(group);
    } finally {
      told = List.copyOf(news);
      news.clear();
      served = guest;
      guest = null;
      others = foreign;
      foreign = false;
      writing.unlock();
    }
    long seen = served == null ? rooms.turns().generation() : served.generation();
    for (News each : told) {
      seen = each.tell(rooms, seen);
    }
    if (served != null) {
      served.send(seen);
    }
    if (others) {
      rooms.wakeOneEach();
    }
    group.forEach(Pending::publish);
  }

  private void commit(List<Pending<?>> group) {
    try {
      foreign |= tables.tx().begin(group.stream().anyMatch(Pending::lasts));
    } catch (SQLException | RuntimeException busy) {
      conclude(group, busy);
      return;
    }
    if (!runAndCommit(group)) {
      group.forEach(this::runAlone);
    }
  }

  private void runAlone(Pending<?> one) {
    List<Pending<?>> alone = List.of(one);
    try {
      foreign |= tables.tx().begin(one.lasts());
      runAll(alone);
      tables.tx().commit();
      conclude(alone, null);
    } catch (SQLException | RuntimeException | Error failure) {
      conclude(alone, failure);
    }
  }

  /** False if the transaction broke: then nothing was done, and nobody was answered. */
  private boolean runAndCommit(List<Pending<?>> group) {
    try {
      runAll(group);
      serveGuest();
      tables.tx().commit();
      conclude(group, null);
      return true;
    } catch (SQLException | RuntimeException | Error failure) {
      if (group.size() == 1 && guest == null) {
        conclude(group, failure);
        return true;
      }
      tables.tx().rollback();
      if (guest != null) {
        guest.undo();
      }
      return false;
    }
  }

  private void runAll(List<Pending<?>> group) throws SQLException {
    for (Pending<?> one : group) {
      runOne(one);
    }
  }

  /** What has become ready is taken at once, if a fetch waits for it. */
  private void serveGuest() throws SQLException {
    if (tables.tx().turns().anyReady()) {
      guest = Guest.from(rooms.turns()).orElse(null);
      if (guest != null) {
        guest.lookIn(tables);
      }
    }
  }

  private void runOne(Pending<?> one) throws SQLException {
    tables.tx().beginCommand();
    try {
      one.run(tables);
    } catch (RuntimeException refusal) {
      if (tables.tx().isTouched()) {
        throw refusal;
      }
      one.fail(refusal);
    }
  }

  /** How it ended: for each its own way, or for all with what broke the transaction. */
  private void conclude(List<Pending<?>> group, @Nullable Throwable broken) {
    Tx tx = tables.tx();
    if (broken != null) {
      tx.rollback();
      group.forEach(one -> one.fail(told(one, broken)));
    }
    rooms.stored().set(tx.sql().changedRows());
    news.add(new News(tx.turns().take(), tx.work().take()));
  }

  private Throwable told(Pending<?> one, Throwable broken) {
    return broken instanceof SQLException failure ? trouble.of(one.operation(), failure) : broken;
  }

  private void closeConnection() {
    try {
      tables.tx().close();
    } catch (SQLException failure) {
      LOG.atWarn().setCause(failure).log("closing the store");
    }
  }

  /** Lets the group that runs finish; whatever waits behind it is refused. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      boolean told = queue.offer(nothing);
      try {
        thread.join(told ? JOIN_MILLIS : 1);
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
