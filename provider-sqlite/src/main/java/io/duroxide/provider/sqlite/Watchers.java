package io.duroxide.provider.sqlite;

import io.duroxide.provider.Subscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of which instance's commits. Thread-safe. */
final class Watchers {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");

  private final Map<String, List<Watcher>> byInstance = new ConcurrentHashMap<>();

  /** Compared by identity, so that one signal may watch twice. */
  private static final class Watcher {
    final Runnable signal;

    Watcher(Runnable signal) {
      this.signal = signal;
    }
  }

  Subscription watch(String instance, Runnable signal) {
    Watcher watcher = new Watcher(signal);
    byInstance.merge(
        instance,
        List.of(watcher),
        (known, added) -> Stream.concat(known.stream(), added.stream()).toList());
    return () -> byInstance.computeIfPresent(instance, (any, known) -> without(known, watcher));
  }

  /** Calls everyone who watches {@code instance}; to be called by whoever committed. */
  void signal(String instance) {
    for (Watcher watcher : byInstance.getOrDefault(instance, List.of())) {
      try {
        watcher.signal.run();
      } catch (RuntimeException failure) {
        LOG.atWarn().setCause(failure).addKeyValue("instance_id", instance).log("a watcher failed");
      }
    }
  }

  private static @Nullable List<Watcher> without(List<Watcher> known, Watcher gone) {
    List<Watcher> left = known.stream().filter(watcher -> !watcher.equals(gone)).toList();
    return left.isEmpty() ? null : left;
  }
}
