package io.duroxide.metrics.micrometer;

import java.util.Arrays;
import java.util.List;

/** Upper bounds of histograms. */
enum Buckets {
  NONE(),
  EXECUTION(.1, .5, 1, 2, 5, 10, 30, 60, 300, 600, 1800, 3600),
  EVENTS(10, 50, 100, 500, 1000, 5000, 10000),
  TURNS(1, 2, 5, 10, 20, 50, 100, 200, 500),
  ACTIVITY(.01, .05, .1, .5, 1, 2, 5, 10, 30, 60, 120, 300),
  CHILD(.1, .5, 1, 5, 10, 30, 60, 300, 600),
  STORE(.001, .005, .01, .05, .1, .5, 1, 2, 5),
  ROWS(1, 5, 10, 50, 100, 500, 1000),
  WAIT(.1, .5, 1, 2, 5, 10, 30, 60, 120),
  TURN(.001, .005, .01, .05, .1, .5, 1, 5),
  WORK(.01, .05, .1, .5, 1, 5, 30, 60, 300),
  QUEUE(.001, .01, .1, .5, 1, 5, 30, 60, 300),
  PRUNE(.001, .01, .1, 1, 10);

  @SuppressWarnings("ImmutableEnumChecker") // It is: made by toList.
  private final List<Double> bounds;

  Buckets(double... bounds) {
    this.bounds = Arrays.stream(bounds).boxed().toList();
  }

  List<Double> bounds() {
    return bounds;
  }
}
