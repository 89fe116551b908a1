package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.Setbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few threads that change the store.
 *
 * <p>All take from one queue: whoever is free takes what is there. Under load a group grows while
 * the lanes are busy with the one before, so the more there is to do, the less each costs; with
 * nothing to wait for, an operation is a group of its own. The step of a chain that finds all lanes
 * resting goes to the store on the thread of its caller. Thread-safe.
 */
final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final int LIMIT = 16_384;
  private static final int LOOKS = 40;
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Store store;
  private final Rooms rooms;
  private final Inbox inbox = new Inbox(LIMIT);
  private final List<LaneThread> threads = new ArrayList<>();
  private final SpareLane spare;
  private volatile boolean closed;

  Lanes(Store store, Node node, Rooms rooms, int count) {
    this.store = store;
    this.rooms = rooms;
    Setbacks setbacks = new Setbacks(LOG, "caller of the store " + store.schema(), any -> {});
    this.spare = new SpareLane(new Lane(0, store, node, rooms), setbacks);
    for (int i = 1; i <= count; i++) {
      Lane lane = new Lane(i, store, node, rooms);
      threads.add(new LaneThread(store.threads(), lane, inbox, this::lookAround));
    }
  }

  void start() {
    threads.forEach(LaneThread::start);
  }

  /** Runs a command and returns its answer once it is committed. */
  <T> T call(Command<T> command) {
    checkOpen(command.operation());
    if (isStep(command) && inbox.isQuiet(threads.size()) && spare.run(command)) {
      return command.await(store.threads().callers());
    }
    send(command);
    return answerOf(command);
  }

  /** Leaves a command to a lane; whoever wants its answer asks for it. */
  void send(Command<?> command) {
    checkOpen(command.operation());
    try {
      inbox.put(command, () -> checkOpen(command.operation()));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw Refusal.interrupted(command.operation());
    }
    if ((closed || store.threads().hasEnded()) && inbox.remove(command)) {
      checkOpen(command.operation());
    }
  }

  /** The answer of a command that a lane has, or has had. */
  <T> T answerOf(Command<T> command) {
    return command.await(
        store.threads().callers(),
        () -> {
          lookAround();
          return end(command.operation());
        });
  }

  private Optional<RuntimeException> end(String operation) {
    try {
      store.threads().check(operation);
      boolean gone = closed && threads.stream().allMatch(lane -> lane.thread().hasEnded());
      return gone ? Optional.of(Refusal.closed(operation)) : Optional.empty();
    } catch (ProviderException ended) {
      return Optional.of(ended);
    }
  }

  /**
   * Ends waits for a connection that have lasted too long. If a thread has ended, whatever waits is
   * refused.
   */
  private void lookAround() {
    long patience = store.patience().toNanos();
    threads.forEach(lane -> lane.borrowing().hurry(patience));
    spare.borrowing().hurry(patience);
    if (store.threads().hasEnded()) {
      refuseAll();
      rooms.wakeAll();
    }
  }

  private void refuseAll() {
    List<Command<?>> late = new ArrayList<>();
    inbox.empty(late);
    late.forEach(command -> command.abandon(refusal(command.operation())));
  }

  private RuntimeException refusal(String operation) {
    return end(operation).orElseGet(() -> Refusal.closed(operation));
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
    store.threads().check(operation);
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
    refuseAll();
  }
}
