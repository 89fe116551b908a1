package io.duroxide.runtime;

import io.duroxide.provider.LockedWork;
import io.duroxide.provider.WorkFetch;
import java.util.List;
import java.util.Optional;

/** Fetches activities and runs each on a thread of its own. */
final class WorkerDispatcher extends Dispatcher<LockedWork> {
  private final RuntimeParts parts;
  private final ActivityProcessor processor;
  private final Sessions sessions;
  private final WorkFetch fetch;

  WorkerDispatcher(RuntimeParts parts, ActivityProcessor processor, Sessions sessions) {
    super("duroxide-activities", parts, parts.options().workerConcurrency());
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
  List<LockedWork> fetch(int max) throws InterruptedException {
    List<LockedWork> fetched =
        parts.provider().fetchWorkItems(fetch.withSession(sessions.fetchConfig()), max);
    fetched.forEach(locked -> session(locked).ifPresent(sessions::register));
    return fetched;
  }

  @Override
  void process(LockedWork locked, Runnable done) {
    Runnable freed =
        () -> {
          session(locked).ifPresent(sessions::unregister);
          done.run();
        };
    processor.process(locked, freed);
  }

  private static Optional<String> session(LockedWork locked) {
    return Optional.ofNullable(locked.item()).map(item -> item.routing().sessionId());
  }
}
