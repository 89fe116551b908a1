package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The in-memory provider is the contract as readable code: whatever is done, both say the same. */
@DisplayName("Random operations")
class RandomComparisonTest {
  private static final int SEQUENCES = Integer.getInteger("random.sequences", 2000);
  private static final int LENGTH = 50;

  private static final List<Twins.Op> ALL = List.copyOf(EnumSet.allOf(Twins.Op.class));
  private static final List<Twins.Op> OFTEN =
      List.of(
          Twins.Op.ENQUEUE,
          Twins.Op.ENQUEUE,
          Twins.Op.ENQUEUE,
          Twins.Op.TURN,
          Twins.Op.TURN,
          Twins.Op.TURN,
          Twins.Op.FETCH,
          Twins.Op.ACK,
          Twins.Op.RUN_WORK,
          Twins.Op.FETCH_WORK,
          Twins.Op.ADVANCE,
          Twins.Op.READ);

  /** Where two stores part. */
  private record Difference(int step, Twins.Answers answers) {}

  @Test
  @DisplayName("the same operations give the same answers as the in-memory provider's")
  void sameAnswers(TestReporter reporter) {
    long seed = Long.getLong("random.seed", System.nanoTime());
    reporter.publishEntry("random.seed", Long.toString(seed));
    for (int i = 0; i < SEQUENCES; i++) {
      List<Twins.Step> steps = sequence(new Random(seed + i));
      Optional<Difference> difference = difference(steps);
      if (difference.isPresent()) {
        report(seed + i, steps.subList(0, difference.orElseThrow().step() + 1));
      }
    }
  }

  private static List<Twins.Step> sequence(Random random) {
    List<Twins.Step> steps = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      Twins.Op op =
          random.nextInt(3) > 0
              ? OFTEN.get(random.nextInt(OFTEN.size()))
              : ALL.get(random.nextInt(ALL.size()));
      steps.add(new Twins.Step(op, random.nextLong()));
    }
    return steps;
  }

  private static Optional<Difference> difference(List<Twins.Step> steps) {
    try (Twins twins = new Twins()) {
      for (int i = 0; i < steps.size(); i++) {
        Twins.Answers answers = twins.run(steps.get(i));
        if (answers.differ()) {
          return Optional.of(new Difference(i, answers));
        }
      }
      return Optional.empty();
    }
  }

  private static void report(long seed, List<Twins.Step> steps) {
    List<Twins.Step> shortest = shrunk(steps);
    StringBuilder story = new StringBuilder("seed " + seed + " differs after:\n");
    shortest.forEach(step -> story.append("  ").append(step).append('\n'));
    Twins.Answers answers = difference(shortest).orElseThrow().answers();
    assertThat(answers.subject()).as(story.toString()).isEqualTo(answers.model());
  }

  /** Leaves out steps for as long as the stores still differ. */
  private static List<Twins.Step> shrunk(List<Twins.Step> steps) {
    List<Twins.Step> shortest = new ArrayList<>(steps);
    boolean again = true;
    while (again) {
      again = false;
      for (int i = shortest.size() - 1; i >= 0; i--) {
        List<Twins.Step> shorter = new ArrayList<>(shortest);
        shorter.remove(i);
        Optional<Difference> difference = difference(shorter);
        if (difference.isPresent()) {
          shortest = new ArrayList<>(shorter.subList(0, difference.orElseThrow().step() + 1));
          again = true;
          break;
        }
      }
    }
    return shortest;
  }
}
