package io.duroxide.provider;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of which instance's commits; for providers that tell them. Thread-safe. */
public final class CommitWatchers {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers");

  private final Map<String, List<Watcher>> byInstance = new ConcurrentHashMap<>();

  /** Nobody watches yet. */
  public CommitWatchers() {}

  /** Compared by identity, so that one listener may watch twice. */
  private static final class Watcher {
    final Consumer<? super TurnCommit> listener;

    Watcher(Consumer<? super TurnCommit> listener) {
      this.listener = listener;
    }
  }

  /** Tells {@code listener} each commit of {@code instance}, until closed. */
  public Subscription watch(String instance, Consumer<? super TurnCommit> listener) {
    Watcher watcher = new Watcher(listener);
    byInstance.merge(
        instance,
        List.of(watcher),
        (known, added) -> Stream.concat(known.stream(), added.stream()).toList());
    return () -> byInstance.computeIfPresent(instance, (any, known) -> without(known, watcher));
  }

  /** Tells everyone who watches {@code instance}; to be called outside locks. */
  public void tell(String instance, TurnCommit commit) {
    for (Watcher watcher : byInstance.getOrDefault(instance, List.of())) {
      try {
        watcher.listener.accept(commit);
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
