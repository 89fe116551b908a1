package io.duroxide.provider.sqlite;

import io.duroxide.provider.Answer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * A call that is held up in its own transaction, so that what others ask for waits for the writer's
 * thread.
 */
record HeldWriter(Shortage.Gate gate, FutureTask<Boolean> call) {

  static HeldWriter hold(SqliteProvider store, Shortage shortage) throws InterruptedException {
    FutureTask<Boolean> task =
        new FutureTask<>(() -> store.purgeOrphanMessages(Duration.ofDays(1)) >= 0);
    Thread thread = Thread.ofPlatform().daemon().unstarted(task);
    Shortage.Gate gate = shortage.hold(thread);
    thread.start();
    gate.reached().await();
    return new HeldWriter(gate, task);
  }

  /** A call on a thread of its own that has handed its command over and waits. */
  static <T> FutureTask<T> queued(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread caller = Thread.ofPlatform().daemon().start(task);
    while (!(LockSupport.getBlocker(caller) instanceof Answer<?>)) {
      if (task.isDone()) {
        throw new IllegalStateException("the call did not wait");
      }
      Thread.onSpinWait();
    }
    return task;
  }

  /** Lets the call go on; it is answered before those that wait. */
  FutureTask<Boolean> release() {
    gate.open().countDown();
    return call;
  }
}
