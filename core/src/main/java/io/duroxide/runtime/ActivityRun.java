package io.duroxide.runtime;

import io.duroxide.api.ActivityContext;
import io.duroxide.api.DataConverter;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.replay.ContextLogger;
import io.duroxide.telemetry.TelemetryListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** One call of an activity handler as the handler sees it, and its cancellation. Thread-safe. */
final class ActivityRun implements ActivityContext {
  private static final Logger TARGET = LoggerFactory.getLogger("io.duroxide.activity");

  private final WorkItem.ActivityExecute item;
  private final LockedWork locked;
  private final RuntimeParts parts;
  private final Thread thread;
  private final Logger log;
  private final AtomicBoolean finished = new AtomicBoolean();
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> onCancel = new ArrayList<>();

  ActivityRun(WorkItem.ActivityExecute item, LockedWork locked, RuntimeParts parts) {
    this.item = item;
    this.locked = locked;
    this.parts = parts;
    this.thread = Thread.currentThread();
    this.log = new ContextLogger(TARGET, () -> false, line -> line.write(TARGET, this::withFields));
  }

  private LoggingEventBuilder withFields(LoggingEventBuilder event) {
    LoggingEventBuilder named = withNames(event);
    if (routing().tag() != null) {
      named = named.addKeyValue("activity_tag", routing().tag());
    }
    return routing().sessionId() == null
        ? named
        : named.addKeyValue("session_id", routing().sessionId());
  }

  private LoggingEventBuilder withNames(LoggingEventBuilder event) {
    return event
        .addKeyValue("instance_id", key().instance())
        .addKeyValue("execution_id", key().executionId())
        .addKeyValue("orchestration_name", orchestration().orchestration())
        .addKeyValue("orchestration_version", orchestration().version())
        .addKeyValue("activity_name", activityName())
        .addKeyValue("activity_id", key().activityId())
        .addKeyValue("worker_id", workerId());
  }

  String input() {
    return item.input();
  }

  boolean isFinished() {
    return finished.get();
  }

  /** Claims the right to report an end; only the first caller has it. */
  boolean finish() {
    return finished.compareAndSet(false, true);
  }

  /**
   * Tells the handler that its result is no longer wanted. Its actions may take their time: they
   * run on a thread of their own, not on that of whoever cancels.
   */
  void cancel() {
    List<Runnable> actions;
    lock.lock();
    try {
      cancelled.countDown();
      actions = List.copyOf(onCancel);
      onCancel.clear();
    } finally {
      lock.unlock();
    }
    if (!actions.isEmpty()) {
      parts
          .threads()
          .virtual("duroxide-on-cancel-" + key(), () -> actions.forEach(this::perform))
          .start();
    }
  }

  private void perform(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      log.warn("an action on cancellation failed", e);
    }
  }

  /** Interrupts the handler. */
  void interrupt() {
    if (!thread.equals(Thread.currentThread())) {
      thread.interrupt();
    }
  }

  @Override
  public ActivityKey key() {
    return item.key();
  }

  @Override
  public ActivityOrigin orchestration() {
    return item.origin();
  }

  @Override
  public String activityName() {
    return item.name();
  }

  @Override
  public ActivityRouting routing() {
    return item.routing();
  }

  @Override
  public String workerId() {
    return parts.workerId();
  }

  @Override
  public int attempt() {
    return locked.attemptCount();
  }

  @Override
  public Logger log() {
    return log;
  }

  @Override
  public boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  @Override
  public void onCancel(Runnable action) {
    lock.lock();
    try {
      if (!isCancelled()) {
        onCancel.add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    action.run();
  }

  @Override
  public boolean awaitCancelled(Duration timeout) throws InterruptedException {
    return cancelled.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public <T> T service(Class<T> type) {
    if (type == Provider.class) {
      return type.cast(parts.provider());
    }
    if (type == DataConverter.class) {
      return type.cast(parts.options().converter());
    }
    if (type == TelemetryListener.class) {
      return type.cast(parts.signals().listener());
    }
    throw new IllegalArgumentException("this node has no service of type " + type.getName());
  }
}
