package io.duroxide.provider;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of which instance's commits; for providers that signal them. Thread-safe. */
public final class CommitWatchers {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers");

  private final Map<String, List<Watcher>> byInstance = new ConcurrentHashMap<>();

  /** Nobody watches yet. */
  public CommitWatchers() {}

  /** Compared by identity, so that one signal may watch twice. */
  private static final class Watcher {
    final Runnable signal;

    Watcher(Runnable signal) {
      this.signal = signal;
    }
  }

  /** Calls {@code signal} after each visible commit of {@code instance}, until closed. */
  public Subscription watch(String instance, Runnable signal) {
    Watcher watcher = new Watcher(signal);
    byInstance.merge(
        instance,
        List.of(watcher),
        (known, added) -> Stream.concat(known.stream(), added.stream()).toList());
    return () -> byInstance.computeIfPresent(instance, (any, known) -> without(known, watcher));
  }

  /**
   * Calls everyone who watches {@code instance}, if they see a change; to be called outside locks.
   */
  public void signal(String instance, TurnCommit commit) {
    if (byInstance.containsKey(instance) && commit.isVisibleToClients()) {
      signal(instance);
    }
  }

  private void signal(String instance) {
    for (Watcher watcher : byInstance.getOrDefault(instance, List.of())) {
      try {
        watcher.signal.run();
      } catch (RuntimeException failure) {
        LOG.atWarn().addKeyValue("instance_id", instance).setCause(failure).log("a watcher failed");
      }
    }
  }

  private static @Nullable List<Watcher> without(List<Watcher> known, Watcher gone) {
    List<Watcher> left = known.stream().filter(watcher -> !watcher.equals(gone)).toList();
    return left.isEmpty() ? null : left;
  }
}
