package io.duroxide.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What the outside world does to an instance, batch by batch, as data. */
record Schedule(List<Batch> batches) {

  /**
   * What arrives together.
   *
   * @param node which of two nodes takes the turn
   * @param evict whether that node has lost its parked execution meanwhile
   */
  record Batch(List<Signal> signals, int node, boolean evict) {}

  sealed interface Signal {}

  /** One of the open activities, timers and children ends. */
  record Finish(int pick, boolean fails) implements Signal {}

  /** An outcome that was delivered before comes again, with another value. */
  record Repeat(int pick, boolean fails) implements Signal {}

  /** An outcome for an earlier or later execution. */
  record Foreign(int pick, int distance) implements Signal {}

  record Raise(String name) implements Signal {}

  record Enqueue(String queue) implements Signal {}

  record CancelIt() implements Signal {}

  /** An open one fails in a way that code must not see. */
  record Poison(int pick) implements Signal {}

  /** An outcome for something that was never scheduled. */
  record Stray() implements Signal {}

  static Schedule random(Random random, boolean calm) {
    List<Batch> batches = new ArrayList<>();
    int count = random.nextInt(14);
    for (int i = 0; i < count; i++) {
      List<Signal> signals = new ArrayList<>();
      int size = i == 0 && random.nextInt(3) > 0 ? 0 : random.nextInt(5);
      for (int j = 0; j < size; j++) {
        signals.add(calm ? calmSignal(random) : signal(random));
      }
      batches.add(new Batch(List.copyOf(signals), random.nextInt(2), random.nextInt(5) == 0));
    }
    return new Schedule(batches);
  }

  private static Signal signal(Random random) {
    int rare = random.nextInt(100);
    if (rare < 3) {
      return switch (rare) {
        case 0 -> new CancelIt();
        case 1 -> new Poison(random.nextInt(10));
        default -> new Stray();
      };
    }
    return calmSignal(random);
  }

  private static Signal calmSignal(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> new Repeat(random.nextInt(10), random.nextBoolean());
      case 1 -> new Foreign(random.nextInt(10), random.nextBoolean() ? 1 : -1);
      case 2, 3 -> new Raise("e" + random.nextInt(3));
      case 4, 5 -> new Enqueue("q" + random.nextInt(3));
      default -> new Finish(random.nextInt(10), random.nextInt(4) == 0);
    };
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Batch batch : batches) {
      text.append("  node ").append(batch.node).append(batch.evict ? " (evicted)" : "");
      text.append(": ").append(batch.signals).append('\n');
    }
    return text.toString();
  }
}
