package io.duroxide.benchmarks.workloads;

import java.time.Duration;

/**
 * What one orchestration does.
 *
 * @param steps how many activities it calls
 * @param parallel whether it calls them all at once, else one after the other
 * @param payload how many characters each activity is given and returns
 * @param delay how long each activity takes
 */
record Shape(int steps, boolean parallel, int payload, Duration delay) {
  private static final int SMALL = 8;

  Shape(int steps, boolean parallel, int payload) {
    this(steps, parallel, payload, Duration.ZERO);
  }

  static Shape chain(int steps) {
    return new Shape(steps, false, SMALL);
  }

  static Shape fanOut(int steps) {
    return new Shape(steps, true, SMALL);
  }

  Shape withDelay(Duration newDelay) {
    return new Shape(steps, parallel, payload, newDelay);
  }

  String input() {
    return "x".repeat(payload);
  }
}
