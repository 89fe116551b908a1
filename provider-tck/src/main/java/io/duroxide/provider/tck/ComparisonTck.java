package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.tck.Twins.Answers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * The in-memory provider is the contract as readable code: whatever is done to it and to the
 * provider under test, both say the same.
 */
public abstract class ComparisonTck {
  private static final int LENGTH = 50;

  /** How far the clock of both stores is set back, or on. */
  private static final List<Duration> STEPS =
      List.of(Duration.ofSeconds(-3), Duration.ofHours(-1), Duration.ofHours(1));

  private static final List<Op> ALL =
      List.copyOf(EnumSet.complementOf(EnumSet.of(Op.STRANDED, Op.TAKE_OUT)));
  private static final List<Op> OFTEN =
      List.of(
          Op.ENQUEUE,
          Op.ENQUEUE,
          Op.ENQUEUE,
          Op.SEND,
          Op.ENQUEUE_MANY,
          Op.TURN,
          Op.TURN,
          Op.TURN,
          Op.FETCH,
          Op.ACK,
          Op.RUN_WORK,
          Op.FETCH_WORK,
          Op.ADVANCE,
          Op.READ);

  /** For subclasses. */
  protected ComparisonTck() {}

  /** An empty store on {@code clock}; closed before the next is asked for. */
  protected abstract Provider open(InstantSource clock);

  /** How many sequences of operations to try. */
  protected int sequences() {
    return Integer.getInteger("random.sequences", 2000);
  }

  /** Whether the store tells of orphaned children and of waiting work, which it need not. */
  protected boolean tellsOfTheStranded() {
    return false;
  }

  /** Whether the store keeps to the windows of mailboxes, which it need not. */
  protected boolean hasWindows() {
    return false;
  }

  /**
   * Whether the store sees a step of the clock with each operation. One that looks now and then may
   * hold a lock for longer than the in-memory provider.
   */
  protected boolean seesClockSteps() {
    return true;
  }

  /** Whether instances can be taken out of the store, which it need not offer. */
  protected boolean offersTransfer() {
    return false;
  }

  /** Everything that can be done to a store. */
  private enum Op {
    ENQUEUE,
    ENQUEUE_MANY,
    SEND,
    FETCH,
    ACK,
    ABANDON,
    RENEW,
    WORK,
    TURN,
    FETCH_WORK,
    RUN_WORK,
    ACK_WORK,
    ABANDON_WORK,
    RENEW_WORK,
    SESSIONS,
    APPEND,
    ADVANCE,
    CLOCK_STEP,
    READ,
    LIST,
    PURGE,
    DELETE,
    PRUNE,
    STRANDED,
    TAKE_OUT
  }

  /** One step of a sequence; its arguments come from its seed. */
  private record Step(Op op, long seed) {}

  /** Where two stores part. */
  private record Difference(int step, Answers answers) {}

  @Test
  @DisplayName("TCK-CMP-01 the same operations give the same answers as the in-memory provider's")
  void sameAnswers(TestReporter reporter) {
    long seed = Long.getLong("random.seed", SystemTime.seed());
    reporter.publishEntry("random.seed", Long.toString(seed));
    for (int i = 0; i < sequences(); i++) {
      List<Step> steps = sequence(new SplittableRandom(seed + i));
      Optional<Difference> difference = difference(steps);
      if (difference.isPresent()) {
        report(seed + i, steps.subList(0, difference.orElseThrow().step() + 1));
      }
    }
  }

  private List<Step> sequence(SplittableRandom random) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      Op op =
          random.nextInt(3) > 0
              ? OFTEN.get(random.nextInt(OFTEN.size()))
              : ALL.get(random.nextInt(ALL.size()));
      boolean isUnseen = op == Op.CLOCK_STEP && !seesClockSteps();
      steps.add(new Step(isUnseen ? Op.ADVANCE : op, random.nextLong()));
      if (op == Op.LIST && tellsOfTheStranded()) {
        steps.add(new Step(Op.STRANDED, random.nextLong()));
      }
      if (op == Op.READ && offersTransfer()) {
        steps.add(new Step(Op.TAKE_OUT, random.nextLong()));
      }
    }
    return steps;
  }

  private Optional<Difference> difference(List<Step> steps) {
    HandClock clock = new HandClock();
    Twins twins = new Twins(MemoryProvider.create(clock), open(clock));
    try {
      Story story = new Story(twins, clock, hasWindows());
      story.move(Duration.ZERO);
      for (int i = 0; i < steps.size(); i++) {
        Answers answers = story.run(steps.get(i));
        if (answers.differ()) {
          return Optional.of(new Difference(i, answers));
        }
      }
      return Optional.empty();
    } finally {
      twins.close();
    }
  }

  /** What happens to two stores. */
  private static final class Story {
    private final Twins twins;
    private final HandClock clock;
    private final boolean hasWindows;
    private final TwinTurns turns;
    private final TwinWork work;
    private final TwinUpkeep upkeep;

    Story(Twins twins, HandClock clock, boolean hasWindows) {
      this.twins = twins;
      this.clock = clock;
      this.hasWindows = hasWindows;
      this.turns = new TwinTurns(twins);
      this.work = new TwinWork(twins);
      this.upkeep = new TwinUpkeep(twins, clock);
    }

    Answers run(Step step) {
      SplittableRandom random = new SplittableRandom(step.seed());
      RandomSupply supply = new RandomSupply(random, clock, hasWindows);
      return switch (step.op()) {
        case ENQUEUE -> turns.enqueue(supply);
        case ENQUEUE_MANY -> turns.enqueueMany(supply, random);
        case SEND -> turns.send(supply);
        case FETCH -> turns.fetch(supply, random);
        case ACK -> turns.ack(supply, random);
        case ABANDON -> turns.abandon(supply, random);
        case RENEW -> turns.renew(random);
        case TURN -> turns.turn(supply, random);
        case APPEND -> turns.append(supply, random);
        case WORK -> work.enqueue(supply);
        case FETCH_WORK -> work.fetch(supply, random);
        case RUN_WORK -> work.run(supply);
        case ACK_WORK -> work.ack(supply, random);
        case ABANDON_WORK -> work.abandon(supply, random);
        case RENEW_WORK -> work.renew(random);
        case SESSIONS -> work.sessions(random);
        case ADVANCE -> move(Duration.ofMillis(random.nextInt(300)));
        case CLOCK_STEP -> move(STEPS.get(random.nextInt(STEPS.size())));
        case READ -> upkeep.portrait(supply.instance(), random);
        case LIST -> upkeep.list(random);
        case PURGE -> upkeep.purge(random);
        case DELETE -> upkeep.delete(supply, random);
        case PRUNE -> upkeep.prune(supply, random);
        case STRANDED -> upkeep.stranded(supply, random);
        case TAKE_OUT -> upkeep.takeOut();
      };
    }

    /** Both stores look at their clock before the next operation, as after each step. */
    private Answers move(Duration duration) {
      clock.advance(duration);
      return twins.tell(Provider::lookAtClock);
    }
  }

  private void report(long seed, List<Step> steps) {
    List<Step> shortest = shrunk(steps);
    StringBuilder story = new StringBuilder("seed " + seed + " differs after:\n");
    shortest.forEach(step -> story.append("  ").append(step).append('\n'));
    Answers answers = difference(shortest).orElseThrow().answers();
    assertThat(answers.subject()).as(story.toString()).isEqualTo(answers.model());
  }

  /** Leaves out steps for as long as the stores still differ. */
  private List<Step> shrunk(List<Step> steps) {
    List<Step> shortest = new ArrayList<>(steps);
    boolean again = true;
    while (again) {
      again = false;
      for (int i = shortest.size() - 1; i >= 0; i--) {
        List<Step> shorter = new ArrayList<>(shortest);
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
