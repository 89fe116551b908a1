package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The nodes of this process that begin instances; for providers that ask them. Thread-safe. */
public final class LocalStarts {
  private final List<Starter> starters = new CopyOnWriteArrayList<>();

  /** There are none yet. */
  public LocalStarts() {}

  /** Asks {@code starter} from now on, until closed. */
  public Subscription add(Starter starter) {
    starters.add(starter);
    return () -> starters.remove(starter);
  }

  /** Whether one of them has begun it; to be called outside locks. */
  public boolean offer(WorkItem.StartOrchestration start) {
    for (Starter starter : starters) {
      if (starter.begin(start)) {
        return true;
      }
    }
    return false;
  }
}
