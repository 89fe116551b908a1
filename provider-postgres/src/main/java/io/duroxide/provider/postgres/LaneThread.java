package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoreThread;
import io.duroxide.provider.StoreThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A thread that has a lane and takes what waits in the inbox. Thread-safe. */
final class LaneThread {
  private static final int GROUP = 512;

  private final Lane lane;
  private final Inbox inbox;
  private final Runnable look;
  private final Work work = new Work();
  private final StoreThread thread;

  /**
   * A thread that is to be started.
   *
   * @param look done once a second while there is nothing to do
   */
  LaneThread(StoreThreads threads, Lane lane, Inbox inbox, Runnable look) {
    this.lane = lane;
    this.inbox = inbox;
    this.look = look;
    this.thread = threads.loop("lane " + lane.number(), work);
  }

  void start() {
    thread.start();
  }

  StoreThread thread() {
    return thread;
  }

  /** Who waits for a connection, if it does. */
  Borrowing borrowing() {
    return lane.borrowing();
  }

  /** What the thread does. */
  private final class Work implements StoreThread.Rounds {
    private List<Command<?>> waiting = new ArrayList<>();

    @Override
    public void next() throws InterruptedException {
      inbox.take(waiting, GROUP, look);
      List<Command<?>> taken = waiting;
      try {
        waiting = lane.run(taken);
      } catch (RuntimeException | Error failure) {
        waiting = new ArrayList<>();
        taken.forEach(command -> command.abandon(failure));
        throw failure;
      }
      lane.rethrow();
    }

    @Override
    public void ended() {
      refuse(thread::refusal);
      look.run();
    }

    void refuse(Function<String, ProviderException> refusal) {
      waiting.forEach(late -> late.abandon(refusal.apply(late.operation())));
    }
  }

  void stop() {
    thread.stop();
    lane.stop();
    wake();
  }

  private void wake() {
    if (!lane.isBusy()) {
      thread.interrupt();
    }
  }

  /** Waits for the group that runs; one that hangs is cut off. */
  void join() {
    lane.awaitEnd(millis -> {
      wake();
      return thread.join(Duration.ofMillis(millis));
    });
    if (thread.hasEnded()) {
      work.refuse(Refusal::closed);
    }
  }
}
