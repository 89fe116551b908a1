package io.duroxide.provider.sqlite;

import io.duroxide.provider.Answer;
import io.duroxide.provider.StoreThread;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.WaitingCallers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private static final long LOOK_SECONDS = 1;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final OpenFile file;
  private final Trouble trouble;
  private final Tables tables;
  private final Rooms rooms;
  private final BlockingQueue<Pending<?>> queue;
  private final int groupSize;
  private final WaitingCallers callers;
  private final StoreThread thread;
  private final ReentrantLock writing = new ReentrantLock();
  private final List<Pending<?>> group;
  private final Pending<Boolean> nothing = new Pending<>("close", any -> true, false);
  private volatile boolean crowded;
  private volatile boolean closed;
  private boolean connected = true;
  private long lookMillis = SHORTEST_LOOK_MILLIS;

  Writer(Database database, Tables tables, Rooms rooms, StoreThreads threads, OpenFile file) {
    this.file = file;
    this.trouble = database.trouble();
    this.tables = tables;
    this.rooms = rooms;
    this.queue = new ArrayBlockingQueue<>(database.options().groups().queueSize());
    this.groupSize = database.options().groups().groupSize();
    this.group = new ArrayList<>(groupSize);
    this.callers = threads.callers();
    this.thread = threads.loop("writer", new Work());
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
      return writeAlone(pending);
    }
    boolean taken = queue.offer(pending);
    while (!taken) {
      checkOpen(operation);
      taken = waitForRoom(pending);
    }
    if ((closed || thread.hasEnded()) && queue.remove(pending)) {
      checkOpen(operation);
    }
    return pending.answer().await(callers, new Promise(operation));
  }

  private <T> T writeAlone(Pending<T> pending) {
    if (closed) {
      writing.unlock();
      throw Refusal.closed(pending.operation());
    }
    Throwable broken = commitAndUnlock(List.of(pending));
    if (broken != null) {
      thread.setbacks().note(broken);
    }
    return pending.answer().await(callers, new Promise(pending.operation()));
  }

  /** What callers may expect of this writer. */
  private final class Promise implements Answer.Source {
    private final String operation;

    Promise(String operation) {
      this.operation = operation;
    }

    @Override
    public Optional<RuntimeException> end() {
      return thread.hasEnded() ? Optional.of(refusal()) : Optional.empty();
    }

    private RuntimeException refusal() {
      return closed ? Refusal.closed(operation) : thread.refusal(operation);
    }

    @Override
    public RuntimeException told(Throwable failure) {
      return trouble.told(operation, failure);
    }
  }

  private boolean waitForRoom(Pending<?> pending) {
    try {
      return queue.offer(pending, LOOK_SECONDS, TimeUnit.SECONDS);
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
    thread.check(operation);
    file.check(operation);
  }

  /** What the thread does. */
  private final class Work implements StoreThread.Rounds {
    @Override
    public void next() throws Throwable {
      round();
    }

    @Override
    public void ended() {
      refuseAll();
      rooms.wakeAll();
    }
  }

  /** What the thread does next; whatever it took is answered then. */
  private void round() throws Throwable {
    try {
      file.lookIfDue();
      Pending<?> first = next();
      if (first == null) {
        lookAround();
      } else if (!first.equals(nothing)) {
        write(first);
      }
    } finally {
      if (closed) {
        disconnect();
      }
    }
  }

  private void write(Pending<?> first) throws Throwable {
    Throwable broken;
    group.add(first);
    writing.lock();
    try {
      queue.drainTo(group, groupSize - 1);
      crowded = group.size() > 1;
    } finally {
      broken = commitAndUnlock(group);
      group.clear();
    }
    if (broken != null) {
      throw broken;
    }
  }

  private @Nullable Pending<?> next() throws InterruptedException {
    return queue.poll(lookMillis, TimeUnit.MILLISECONDS);
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

  /**
   * Whoever hears of it, from an answer or because there is work, finds the store free again.
   * Everyone is answered, whatever happens; returns what broke the round, if anything did.
   */
  private @Nullable Throwable commitAndUnlock(List<Pending<?>> commands) {
    Throwable broken = null;
    Round round = null;
    try {
      round = new Round(tables, rooms);
      round.commit(commands);
    } catch (Throwable failure) {
      broken = failure;
      abandon(round, commands, failure);
    } finally {
      writing.unlock();
    }
    try {
      if (round != null) {
        round.tell();
      }
    } catch (Throwable failure) {
      broken = failure;
    }
    publish(commands);
    return broken;
  }

  /** Even this may fail; then the next transaction begins with what is left to do. */
  private void abandon(@Nullable Round round, List<Pending<?>> commands, Throwable cause) {
    try {
      if (round != null) {
        round.abandon(commands, cause);
      }
    } catch (Throwable again) {
      LOG.debug("a transaction will be given up by the next one", again);
    }
    for (Pending<?> one : commands) {
      one.answer().failUnlessSettled(cause);
    }
  }

  /** A caller that could not be woken looks by itself. */
  private static void publish(List<Pending<?>> commands) {
    for (Pending<?> one : commands) {
      try {
        one.answer().publish();
      } catch (RuntimeException | Error notWoken) {
        LOG.debug("a caller was not woken", notWoken);
      }
    }
  }

  private void refuseAll() {
    List<Pending<?>> late = new ArrayList<>();
    queue.drainTo(late);
    late.forEach(one -> one.answer().fail(new Promise(one.operation()).refusal()));
    publish(late);
  }

  private void disconnect() {
    writing.lock();
    try {
      if (connected) {
        connected = false;
        tables.tx().close();
      }
    } catch (SQLException failure) {
      LOG.atWarn().setCause(failure).log("closing the store");
    } finally {
      writing.unlock();
    }
  }

  /**
   * Lets the group that runs finish; whatever waits behind it is refused. A disk that hangs is not
   * waited for: the thread disconnects when it can.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    thread.stop();
    if (!queue.offer(nothing)) {
      LOG.debug("closing behind a full queue");
    }
    boolean ended = thread.join(CLOSE_LIMIT);
    refuseAll();
    if (ended) {
      disconnect();
    } else {
      LOG.warn("the writer of {} has not ended; its connection stays open", trouble.file());
    }
  }
}
