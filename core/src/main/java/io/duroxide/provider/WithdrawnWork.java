package io.duroxide.provider;

import java.util.List;
import java.util.Objects;

/**
 * What a commit takes back of what its instance asked for.
 *
 * @param activities activities to remove from the worker queue, after the inserts
 * @param timers timers of the committed execution whose messages go, each named by its event id;
 *     one that is unknown, or was delivered with the batch, is ignored
 */
public record WithdrawnWork(CancelledActivities activities, List<Long> timers) {
  /** Nothing. */
  public static final WithdrawnWork NOTHING =
      new WithdrawnWork(CancelledActivities.NONE, List.of());

  public WithdrawnWork {
    Objects.requireNonNull(activities, "activities");
    timers = List.copyOf(timers);
  }
}
