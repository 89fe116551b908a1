package io.duroxide.provider.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The few threads that change the store.
 *
 * <p>All take from one queue: whoever is free takes what is there. Under load a group grows while
 * the lanes are busy with the one before, so the more there is to do, the less each costs; with
 * nothing to wait for, an operation is a group of its own. The step of a chain that finds all lanes
 * resting goes to the store on the thread of its caller. Thread-safe.
 */
final class Lanes implements AutoCloseable {
  private static final int LIMIT = 16_384;
  private static final int LOOKS = 40;
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Inbox inbox = new Inbox(LIMIT);
  private final List<LaneThread> threads = new ArrayList<>();
  private final SpareLane spare;
  private volatile boolean closed;

  Lanes(Store store, Node node, Rooms rooms, int count) {
    this.spare = new SpareLane(new Lane(0, store, node, rooms));
    for (int i = 1; i <= count; i++) {
      String name = "duroxide-postgres-" + i + " " + store.schema().name();
      threads.add(new LaneThread(name, new Lane(i, store, node, rooms), inbox));
    }
  }

  void start() {
    threads.forEach(LaneThread::start);
  }

  /** Runs a command and returns its answer once it is committed. */
  <T> T call(Command<T> command) {
    checkOpen(command.operation());
    if (isStep(command) && inbox.isQuiet(threads.size()) && spare.run(command)) {
      return command.await();
    }
    try {
      inbox.put(command);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw Refusal.interrupted(command.operation());
    }
    if (closed && inbox.remove(command)) {
      throw Refusal.closed(command.operation());
    }
    return command.await();
  }

  /** Threads of clients are not used: a pool may tie a connection to what they are doing. */
  private static boolean isStep(Command<?> command) {
    return command instanceof CommitTurn turn && turn.step() != null;
  }

  /**
   * Runs a fetch. If others had their hands on all there was, it looks again: they may take it, and
   * then it is gone, or leave it. If that takes them longer, the next look is due soon.
   */
  <T> Look<T> look(Supplier<? extends Command<Look<T>>> fetch) {
    Look<T> look = call(fetch.get());
    for (int i = 1; i < LOOKS && look.isDoubtful(); i++) {
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
      look = call(fetch.get());
    }
    return look.isDoubtful() ? look.soon() : look;
  }

  void checkOpen(String operation) {
    if (closed) {
      throw Refusal.closed(operation);
    }
  }

  /** Lets what runs finish; whatever waits behind it is refused. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    spare.stop();
    threads.forEach(LaneThread::stop);
    threads.forEach(LaneThread::join);
    spare.join();
    List<Command<?>> late = new ArrayList<>();
    inbox.empty(late);
    for (Command<?> command : late) {
      command.fail(Refusal.closed(command.operation()));
      command.publish();
    }
  }
}
