package io.duroxide.cli;

import io.duroxide.provider.InstanceInfo;
import java.time.Duration;

/**
 * An instance that does not get on.
 *
 * @param idle how long nothing came
 * @param reason why, and what to look at
 */
record Finding(InstanceInfo instance, Kind kind, Duration idle, String reason) {

  /** What is missing. */
  enum Kind {
    /** A turn: a node that runs the orchestration. */
    TURN,
    /** The outcome of an activity. */
    ACTIVITY,
    /** The first turn of a child. */
    CHILD,
    /** An event or a message from outside. */
    MESSAGE,
    /** Nothing any more: the runtime gave up on it. */
    POISONED
  }
}
