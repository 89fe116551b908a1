package io.duroxide.provider;

import io.duroxide.model.ActivityKey;
import java.util.List;

/**
 * Which activities a commit removes from the worker queue, after its inserts. Whoever runs one of
 * them loses its lock.
 *
 * @param listed those that are named
 * @param wholeExecution whether all others of the committed execution go too; for an execution
 *     whose history cannot tell them
 */
public record CancelledActivities(List<ActivityKey> listed, boolean wholeExecution) {
  /** None. */
  public static final CancelledActivities NONE = new CancelledActivities(List.of(), false);

  /** All of the committed execution. */
  public static final CancelledActivities WHOLE_EXECUTION =
      new CancelledActivities(List.of(), true);

  public CancelledActivities {
    listed = List.copyOf(listed);
  }

  /** Those that are named, and no others. */
  public static CancelledActivities of(List<ActivityKey> listed) {
    return new CancelledActivities(listed, false);
  }
}
