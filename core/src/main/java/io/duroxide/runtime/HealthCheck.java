package io.duroxide.runtime;

import io.duroxide.provider.StoreHealth;
import io.duroxide.provider.Stranded;
import io.duroxide.telemetry.Health;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says how a runtime is doing, from what was remembered; asks the store nothing. */
final class HealthCheck {
  /** A store that fails longer than this is not a passing trouble. */
  private static final Duration PASSING = Duration.ofSeconds(10);

  /** What happened longer ago than this is history. */
  private static final Duration RECENT = Duration.ofMinutes(10);

  /** For so long it is said that the store's clock was set back. */
  private static final Duration CLOCK_STEP = Duration.ofHours(1);

  /** How many kinds of stranded work are named. */
  private static final int NAMED = 10;

  private final HealthWatch watch;
  private final RuntimeOptions options;
  private final NodeVitals vitals;
  private final List<String> down = new ArrayList<>();
  private final List<String> degraded = new ArrayList<>();
  private final Map<String, String> facts = new LinkedHashMap<>();

  HealthCheck(HealthWatch watch, RuntimeOptions options, NodeVitals vitals) {
    this.watch = watch;
    this.options = options;
    this.vitals = vitals;
  }

  /** A runtime that was closed. */
  Health closed() {
    down.add("The runtime is closed.");
    return report();
  }

  /** Counts the threads that the runtime and its store need. */
  HealthCheck threads(List<Thread> needed, StoreHealth store) {
    int alive = store.alive();
    for (Thread thread : needed) {
      if (thread.isAlive()) {
        alive++;
      } else {
        down.add("The thread " + thread.getName() + " has ended; restart the runtime.");
      }
    }
    down.addAll(store.failures());
    facts.put("threads", alive + " of " + (needed.size() + store.threads()) + " alive");
    return this;
  }

  /** Whether the locks of what is in progress are looked after in time. */
  HealthCheck leases(LeaseKeeper leases) {
    if (leases.isLost()) {
      down.add(
          "Locks have not been looked after for %s longer than planned, so others may have taken the work of this node. Does it lack memory or processors?"
              .formatted(words(leases.lateness())));
    } else if (leases.isBehind()) {
      degraded.add(
          "Locks have not been looked after for %s longer than planned; nothing more is fetched until they are."
              .formatted(words(leases.lateness())));
    }
    return this;
  }

  /** A runtime that should be working. */
  Health open() {
    dispatcher(
        new Post(
            WorkQueue.ORCHESTRATOR,
            "turns",
            options.orchestrationConcurrency(),
            vitals.turnsInProgress()));
    dispatcher(
        new Post(
            WorkQueue.WORKER,
            "activities",
            options.workerConcurrency(),
            vitals.activitiesInProgress()));
    brokenClass();
    zombies();
    lostLocks();
    poison();
    missingHandlers();
    stranded();
    clockStep();
    facts.put("kept executions", Integer.toString(vitals.keptExecutions()));
    facts.put("sessions in flight", Integer.toString(vitals.sessionsInFlight()));
    return report();
  }

  /** One of the two things a node does. */
  private record Post(WorkQueue queue, String what, int slots, int busy) {
    boolean full() {
      return busy >= slots;
    }
  }

  private void dispatcher(Post post) {
    if (post.slots() == 0) {
      facts.put(post.what(), "not run by this node");
      return;
    }
    HealthWatch.Polls polls = watch.polls(post.queue());
    Duration silent = watch.since(polls.answeredAt());
    facts.put(post.what() + " in progress", post.busy() + " of " + post.slots());
    facts.put("last answer to a fetch of " + post.what(), words(silent) + " ago");
    if (polls.failures() > 0) {
      storeFails(post, polls);
    } else if (post.full() && silent.compareTo(PASSING) > 0) {
      degraded.add(
          "All %d slots for %s have been busy for %s; nothing more is fetched."
              .formatted(post.slots(), post.what(), words(silent)));
    } else if (!post.full() && silent.compareTo(options.longPollTimeout().plus(PASSING)) > 0) {
      degraded.add(
          "No fetch of %s has come back for %s, although each should within %s."
              .formatted(post.what(), words(silent), words(options.longPollTimeout())));
    }
  }

  private void storeFails(Post post, HealthWatch.Polls polls) {
    Duration failing = watch.since(polls.failingSince());
    String problem =
        "The store has failed to answer for %s, to %d fetches of %s in a row; the last error: %s"
            .formatted(words(failing), polls.failures(), post.what(), polls.error());
    (failing.compareTo(PASSING) > 0 ? down : degraded).add(problem);
  }

  private void brokenClass() {
    String broken = watch.brokenClass();
    if (broken != null) {
      down.add(
          "A class could not be prepared for use, and the JVM does not try again (%s); restart the process. Was it short of memory?"
              .formatted(broken));
    }
  }

  private void zombies() {
    int zombies = vitals.zombieActivities();
    if (zombies > 0) {
      degraded.add(
          "%d cancelled activities did not stop and still run on threads of their own."
              .formatted(zombies));
    }
  }

  private void lostLocks() {
    HealthWatch.Happened lost = watch.lostLocks();
    facts.put("locks lost", Long.toString(lost.times()));
    if (isRecent(lost)) {
      degraded.add(
          "%d locks were lost before their work was stored, the last %s ago; others repeat that work. Is this node overloaded, or the store slow?"
              .formatted(lost.times(), words(watch.since(lost.lastAt()))));
    }
  }

  private void poison() {
    HealthWatch.Happened poison = watch.poison();
    facts.put("given up as poison", Long.toString(poison.times()));
    if (isRecent(poison)) {
      degraded.add(
          "%d instances or activities were given up as poison, the last %s ago; see the log for which."
              .formatted(poison.times(), words(watch.since(poison.lastAt()))));
    }
  }

  private boolean isRecent(HealthWatch.Happened happened) {
    return happened.times() > 0 && watch.since(happened.lastAt()).compareTo(RECENT) <= 0;
  }

  private void missingHandlers() {
    watch
        .missingHandlers(options.unregisteredMaxDelay().multipliedBy(2))
        .forEach((what, ago) ->
            degraded.add(
                "Work waits for %s, which is not registered here; last met %s ago."
                    .formatted(what, words(ago))));
  }

  private void stranded() {
    List<Stranded> all = watch.stranded();
    all.stream()
        .limit(NAMED)
        .forEach(stranded -> degraded.add("Stranded: " + stranded.words() + "."));
    if (all.size() > NAMED) {
      degraded.add("Stranded: and %d more kinds of work.".formatted(all.size() - NAMED));
    }
  }

  private void clockStep() {
    HealthWatch.Step step = watch.clock();
    if (step != null && watch.since(step.noticedAt()).compareTo(CLOCK_STEP) < 0) {
      facts.put(
          "store clock",
          "went back by %s, %s ago; order is kept, timers come up to %s later"
              .formatted(step.back(), words(watch.since(step.noticedAt())), step.back()));
    }
  }

  private static String words(Duration duration) {
    return duration.compareTo(Duration.ofSeconds(10)) < 0
        ? duration.toMillis() + " ms"
        : duration.toSeconds() + " s";
  }

  private Health report() {
    List<String> problems = new ArrayList<>(down);
    problems.addAll(degraded);
    Health.Status status =
        down.isEmpty()
            ? degraded.isEmpty() ? Health.Status.UP : Health.Status.DEGRADED
            : Health.Status.DOWN;
    return new Health(status, problems, facts);
  }
}
