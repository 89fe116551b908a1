package io.duroxide.runtime;

import io.duroxide.provider.ClockStep;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.NodeEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does now and then what must be done now and then: announces the node, looks at the store's clock,
 * renews and sweeps sessions, purges orphans, counts the store. Its thread is not a virtual one, so
 * that handlers that compute without a pause do not cost the node its sessions.
 */
final class Housekeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.housekeeping");

  private static final Duration CLOCK_LOOK = Duration.ofSeconds(5);

  /** No session has been idle for so long. */
  private static final Duration ALWAYS = Duration.ofDays(36_500);

  /** A task and when it is due. */
  private static final class Chore {
    final String name;
    final Duration interval;
    final Runnable task;
    boolean asksStore = true;
    long dueAt;

    Chore(String name, Duration interval, Runnable task, long dueAt) {
      this.name = name;
      this.interval = interval;
      this.task = task;
      this.dueAt = dueAt;
    }
  }

  private final Waiting time;
  private final Provider provider;
  private final Sessions sessions;
  private final Signals signals;
  private final Lookout lookout;
  private long knownSteps;
  private final List<Chore> chores;
  private final RoundGuard guard;
  private final Thread thread;
  private volatile boolean closed;

  Housekeeper(RuntimeParts parts, Sessions sessions, Gauges gauges) {
    this.time = parts.time();
    RuntimeOptions options = parts.options();
    this.provider = parts.provider();
    this.sessions = sessions;
    this.signals = parts.signals();
    this.lookout = new Lookout(parts);
    SessionOptions session = options.sessions();
    List<Chore> planned = new ArrayList<>();
    planned.add(
        new Chore("announcement", options.announceInterval(), lookout::turn, time.nanoTime()));
    Chore clock = new Chore("clock look", CLOCK_LOOK, this::lookAtClock, time.nanoTime());
    clock.asksStore = false;
    planned.add(clock);
    planned.add(
        chore(
            "session renewal",
            Backoffs.renewalInterval(session.lockTimeout(), options.lockRenewalBuffer()),
            () -> renewSessions(session)));
    planned.add(
        chore("session sweep", session.cleanupInterval(), () -> sweep(session.idleTimeout())));
    planned.add(
        chore(
            "orphan purge",
            options.orphanMessageTtl().dividedBy(2),
            () -> purge(options.orphanMessageTtl())));
    if (signals.listening()) {
      planned.add(chore("counting the store", options.gaugeInterval(), gauges::measure));
    }
    this.chores = List.copyOf(planned);
    this.guard = new RoundGuard("duroxide-housekeeper-" + parts.runtimeId(), time, signals::met);
    this.thread = parts.threads().platform("duroxide-housekeeper-" + parts.runtimeId(), this::run);
  }

  private Chore chore(String name, Duration interval, Runnable task) {
    return new Chore(name, interval, task, time.nanoTime() + interval.toNanos());
  }

  /** A step of which this node knows already is not told again. */
  private void lookAtClock() {
    ClockStep step;
    try {
      step = provider.lookAtClock().orElse(null);
    } catch (ProviderException e) {
      LOG.debug("could not look at the store's clock: {}", e.getMessage());
      return;
    }
    if (step != null && step.number() > knownSteps) {
      knownSteps = step.number();
      Duration ago = Duration.between(step.noticedAt(), provider.now());
      signals.clockWentBack(step.back(), ago.isNegative() ? Duration.ZERO : ago);
    }
  }

  private void renewSessions(SessionOptions session) {
    try {
      int renewed =
          provider.renewSessionLock(
              List.of(sessions.ownerId()), session.lockTimeout(), session.idleTimeout());
      signals.sessionsOwned(renewed);
      LOG.atTrace().addKeyValue("count", renewed).log("sessions renewed");
    } catch (ProviderException e) {
      signals.renewalFailed(NodeEvent.LockKind.SESSION, e, false);
      throw e;
    }
  }

  private void sweep(Duration idleTimeout) {
    int cleaned = provider.cleanupOrphanedSessions(idleTimeout);
    LOG.atDebug().addKeyValue("count", cleaned).log("orphaned sessions cleaned");
  }

  private void purge(Duration olderThan) {
    int purged = provider.purgeOrphanMessages(olderThan);
    if (purged > 0) {
      signals.dropped(NodeEvent.DropReason.ORPHAN_EXPIRED, purged);
      LOG.atWarn()
          .addKeyValue("count", purged)
          .log("purged messages for instances that never started");
    }
  }

  void start() {
    thread.start();
  }

  private void run() {
    guard.loop(() -> !closed, this::round);
    LOG.debug("housekeeping ends");
  }

  private void round() throws InterruptedException {
    long now = time.nanoTime();
    long next = Long.MAX_VALUE;
    for (Chore chore : chores) {
      if (now - chore.dueAt >= 0) {
        chore.dueAt = now + chore.interval.toNanos();
        perform(chore);
      }
      next = Math.min(next, chore.dueAt - now);
    }
    time.sleep(Duration.ofNanos(next));
  }

  private void perform(Chore chore) {
    try {
      chore.task.run();
      if (chore.asksStore) {
        signals.storeAnswered();
      }
    } catch (ProviderException e) {
      LOG.atWarn()
          .addKeyValue("chore", chore.name)
          .addKeyValue("error", e.getMessage())
          .log("housekeeping failed, trying again later");
    }
  }

  /** The thread that does it. */
  Thread thread() {
    return thread;
  }

  /** Stops; sessions that nobody will claim under this name again are given up at once. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    lookout.leave();
    if (!sessions.endWithThisProcess()) {
      return;
    }
    try {
      provider.renewSessionLock(List.of(sessions.ownerId()), Duration.ZERO, ALWAYS);
    } catch (RuntimeException | Error e) {
      LOG.warn("sessions could not be given up, they end by themselves: {}", e.getMessage());
    }
  }
}
