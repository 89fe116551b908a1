package io.duroxide.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.duroxide.model.EventKind;
import io.duroxide.replay.Shrinker.Case;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Random programs in a random world. A failure names its seed; {@code -Dduroxide.seed=N} runs that
 * case first, {@code -Dduroxide.cases=N} runs more of them.
 */
class PropertyTest {
  private static final int CASES = Integer.getInteger("duroxide.cases", 6_000);
  private static final long FIRST = Long.getLong("duroxide.seed", 1);
  private static final int LANES = 2;
  private static final Logger ENGINE_LOG = (Logger) LoggerFactory.getLogger("io.duroxide");

  /** Throws if something is wrong with the case. */
  private interface Property {
    void check(Program program, Schedule schedule);
  }

  @BeforeAll
  static void quiet() {
    ENGINE_LOG.setLevel(Level.ERROR);
  }

  @AfterAll
  static void loud() {
    ENGINE_LOG.setLevel(null);
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @DisplayName(
      "RE-260 RE-262 random orchestrations keep the invariants, and give the same turns parked,"
          + " rebuilt and wandering between nodes")
  void restartsChangeNothing() throws Exception {
    forAll(CASES, false, (program, schedule) -> Trial.run(program, schedule, kind -> {}));
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @DisplayName("RE-261 any split of the same messages into batches gives the same result")
  void batchesChangeNothing() throws Exception {
    forAll(CASES, true, SplitTrial::run);
  }

  @Test
  @DisplayName("RE-260 the random cases reach every kind of event and every end")
  void casesReachEverything() {
    Set<Class<?>> seen = new HashSet<>();
    for (long seed = 1; seed <= 1_500; seed++) {
      Random random = random(seed);
      Program program = new ProgramMaker(random, false).program();
      Trial.run(program, Schedule.random(random, false), kind -> seen.add(kind.getClass()));
    }
    Set<Class<?>> every = new HashSet<>();
    leaves(EventKind.class, every);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(every);
  }

  private static void leaves(Class<?> type, Set<Class<?>> leaves) {
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        leaves(permitted, leaves);
      }
    } else {
      leaves.add(type);
    }
  }

  private static void forAll(int cases, boolean calm, Property property) throws Exception {
    try (ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        long first = FIRST + lane;
        all.add(
            lanes.submit(() -> {
              for (long seed = first; seed < FIRST + cases; seed += LANES) {
                one(seed, calm, property);
              }
            }));
      }
      for (Future<?> each : all) {
        try {
          each.get();
        } catch (ExecutionException e) {
          lanes.shutdownNow();
          fail(e.getCause());
        }
      }
    }
  }

  private static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  private static void one(long seed, boolean calm, Property property) {
    Random random = random(seed);
    Program program = new ProgramMaker(random, calm).program();
    Schedule schedule = Schedule.random(random, calm);
    if (wrong(property, program, schedule) != null) {
      Shrinker shrinker = new Shrinker((p, s) -> wrong(property, p, s));
      Case small = shrinker.shrink(new Case(program, schedule));
      throw new AssertionError(
          "-Dduroxide.seed=%d%nprogram%n%sschedule%n%s%s"
              .formatted(
                  seed,
                  small.program(),
                  small.schedule(),
                  wrong(property, small.program(), small.schedule())));
    }
  }

  private static @Nullable String wrong(Property property, Program program, Schedule schedule) {
    try {
      property.check(program, schedule);
      return null;
    } catch (Trial.Violation e) {
      return e.getMessage();
    } catch (RuntimeException e) {
      return "the engine threw " + e;
    }
  }
}
