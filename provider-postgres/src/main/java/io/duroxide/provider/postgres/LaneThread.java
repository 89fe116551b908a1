package io.duroxide.provider.postgres;

import java.util.ArrayList;
import java.util.List;

/** A thread that has a lane and takes what waits in the inbox. Thread-safe. */
final class LaneThread {
  private static final int GROUP = 512;

  private final Lane lane;
  private final Inbox inbox;
  private final Thread thread;

  LaneThread(String name, Lane lane, Inbox inbox) {
    this.lane = lane;
    this.inbox = inbox;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  private void work() {
    List<Command<?>> waiting = new ArrayList<>();
    while (!lane.isStopped()) {
      try {
        inbox.take(waiting, GROUP);
      } catch (InterruptedException woken) {
        continue;
      }
      waiting = lane.run(waiting);
    }
    for (Command<?> late : waiting) {
      late.fail(Refusal.closed(late.operation()));
      late.publish();
    }
  }

  void stop() {
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
      thread.join(millis);
      return !thread.isAlive();
    });
  }
}
