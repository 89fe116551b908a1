package io.duroxide.runtime;

import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.WorkFetch;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches activities and runs each on a thread of its own. */
final class WorkerDispatcher extends Dispatcher<LockedWork> {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.dispatch");

  /** How long work of a session waits that the node may not take on. */
  private static final Duration ONE_TOO_MANY = Duration.ofMillis(100);

  /** At capacity a fetch must not outlast the end of a session, which makes room for another. */
  private static final Duration AT_CAPACITY = Duration.ofMillis(100);

  private final RuntimeParts parts;
  private final ActivityProcessor processor;
  private final Sessions sessions;
  private final WorkFetch fetch;

  WorkerDispatcher(
      RuntimeParts parts,
      Slots slots,
      ActivityProcessor processor,
      Sessions sessions,
      LeaseKeeper leases) {
    super("duroxide-activities", parts, slots, leases);
    this.parts = parts;
    this.sessions = sessions;
    this.processor = processor;
    RuntimeOptions options = parts.options();
    this.fetch =
        new WorkFetch(
            options.workerLockTimeout(),
            options.longPollTimeout(),
            null,
            options.tags(),
            options.fetchOnlyRegistered() ? parts.activities().names() : null);
  }

  @Override
  WorkQueue queue() {
    return WorkQueue.WORKER;
  }

  @Override
  List<LockedWork> fetch(int max, Duration longest) throws InterruptedException {
    Duration poll = sessions.atCapacity() ? shorter(longest, AT_CAPACITY) : longest;
    WorkFetch request = fetch.withSession(sessions.fetchConfig()).withPollTimeout(poll);
    List<LockedWork> admitted = new ArrayList<>();
    for (LockedWork locked : parts.provider().fetchWorkItems(request, max)) {
      if (session(locked).map(sessions::register).orElse(true)) {
        admitted.add(locked);
      } else {
        handBack(locked, ONE_TOO_MANY);
      }
    }
    return admitted;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  @Override
  void handBack(LockedWork locked) {
    session(locked).ifPresent(sessions::unregister);
    handBack(locked, Duration.ZERO);
  }

  private void handBack(LockedWork locked, Duration delay) {
    try {
      parts.provider().abandonWorkItem(locked.lockToken(), delay, true);
    } catch (ProviderException e) {
      LOG.debug("could not hand activity {} back: {}", locked.key(), e.getMessage());
    }
  }

  /**
   * Runs an activity and, on the same slot, one that its orchestration asks for next, and so on:
   * some in any case, more for as long as nobody waits for a slot.
   */
  @Override
  void process(LockedWork locked, Runnable done) {
    Release freed =
        new Release(() -> {
          try {
            session(locked).ifPresent(sessions::unregister);
          } finally {
            done.run();
          }
        });
    @Nullable LockedWork current = locked;
    for (int left = parts.options().localSteps(); current != null; left--) {
      boolean goesOn = left > 0 || !slots().isWaitedFor();
      List<LockedWork> next = processor.process(current, freed, goesOn);
      current = goesOn && !next.isEmpty() ? next.getFirst() : null;
      next.subList(current == null ? 0 : 1, next.size()).forEach(this::launch);
    }
  }

  private static Optional<String> session(LockedWork locked) {
    return Optional.ofNullable(locked.item()).map(item -> item.routing().sessionId());
  }
}
