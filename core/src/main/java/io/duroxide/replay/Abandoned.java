package io.duroxide.replay;

import java.util.List;

/**
 * What the code gave up in this turn and somebody must be told about, each by schedule id.
 *
 * @param activities activities to take from the workers
 * @param children children to cancel
 * @param timers timers whose messages nobody waits for any more
 */
public record Abandoned(List<Long> activities, List<ChildRef> children, List<Long> timers) {
  public static final Abandoned NOTHING = new Abandoned(List.of(), List.of(), List.of());

  public Abandoned {
    activities = List.copyOf(activities);
    children = List.copyOf(children);
    timers = List.copyOf(timers);
  }
}
