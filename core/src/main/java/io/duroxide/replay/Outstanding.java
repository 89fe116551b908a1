package io.duroxide.replay;

import java.util.List;

/** What is still open when an execution ends, each by schedule id in ascending order. */
public record Outstanding(
    List<Long> activities, List<ChildRef> children, List<Long> waits, List<Long> dequeues) {
  public static final Outstanding NOTHING =
      new Outstanding(List.of(), List.of(), List.of(), List.of());

  public Outstanding {
    activities = List.copyOf(activities);
    children = List.copyOf(children);
    waits = List.copyOf(waits);
    dequeues = List.copyOf(dequeues);
  }
}
