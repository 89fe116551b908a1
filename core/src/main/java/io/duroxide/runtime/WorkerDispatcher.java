package io.duroxide.runtime;

import io.duroxide.provider.LockedWork;
import io.duroxide.provider.WorkFetch;
import java.util.List;

/** Fetches activities and runs each on a thread of its own. */
final class WorkerDispatcher extends Dispatcher<LockedWork> {
  private final RuntimeParts parts;
  private final ActivityProcessor processor;
  private final WorkFetch fetch;

  WorkerDispatcher(RuntimeParts parts, ActivityProcessor processor) {
    super("duroxide-activities", parts, parts.options().workerConcurrency());
    this.parts = parts;
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
    return parts.provider().fetchWorkItems(fetch, max);
  }

  @Override
  void process(LockedWork locked, Runnable done) {
    processor.process(locked, done);
  }
}
