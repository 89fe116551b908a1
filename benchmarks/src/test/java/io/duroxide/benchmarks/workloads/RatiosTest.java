package io.duroxide.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.runtime.RuntimeOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * What must not get worse by more than a third, as ratios within one run: how fast the machine is
 * does not matter. Processor time is compared, rounds of both sides alternate, and the best of each
 * counts, so that other work on the machine matters little.
 */
@DisplayName("Regressions of speed")
class RatiosTest {
  /** What this test sees on a busy machine; on a quiet one it is more. */
  private static final double CHAINS_AGAINST_RAW = 0.375;

  private static final double LAST_AGAINST_FIRST = 1.0;

  private static final double ALLOWED_LOSS = 1.0 / 3;
  private static final int ROUNDS = 6;
  private static final int WARM_UPS = 24;
  private static final int GROUP = 32;
  private static final int LONG = 2_000;
  private static final int EDGE = 500;

  @TempDir private Path folder;
  private Subjects subjects;

  @BeforeEach
  void begin() {
    subjects = new Subjects(folder);
  }

  @AfterEach
  void end() throws Exception {
    subjects.close();
  }

  @Test
  @DisplayName("chains on SQLite keep their share of what its tables can take")
  void chains(TestReporter reporter) throws Exception {
    Load chains = new Load(Shape.chain(20), 200, 200);
    double raw = Double.MAX_VALUE;
    double engine = Double.MAX_VALUE;
    try (Subject sqlite = subjects.open("sqlite", RuntimeOptions.defaults());
        RawSteps steps = new RawSteps(folder.resolve("raw.db"), GROUP)) {
      for (int i = 0; i < WARM_UPS; i++) {
        chains.on(sqlite, "warm-" + i);
      }
      steps.run(Duration.ofSeconds(1));
      for (int i = 0; i < ROUNDS; i++) {
        engine =
            Math.min(engine, chains.on(sqlite, "round-" + i).cpuSecondsPerThousandSteps() / 1000);
        raw = Math.min(raw, rawCpuSeconds(steps));
      }
    }
    reporter.publishEntry("steps of chains against raw steps", Double.toString(raw / engine));
    assertThat(raw / engine).isGreaterThan(CHAINS_AGAINST_RAW * (1 - ALLOWED_LOSS));
  }

  private static double rawCpuSeconds(RawSteps steps) throws SQLException {
    long countBefore = steps.count();
    Cost costBefore = Cost.ofThisProcess();
    assertThat(steps.run(Duration.ofSeconds(1))).isPositive();
    double cpuSeconds = Cost.ofThisProcess().since(costBefore).cpuSeconds();
    return cpuSeconds / (steps.count() - countBefore);
  }

  @Test
  @DisplayName("a step late in a long orchestration costs what one of the first does")
  void longHistory(TestReporter reporter) throws Exception {
    Load one = new Load(Shape.chain(LONG), 1, 1);
    double first = Double.MAX_VALUE;
    double last = Double.MAX_VALUE;
    try (Subject sqlite = subjects.open("sqlite", RuntimeOptions.defaults())) {
      one.on(sqlite, "warm");
      for (int i = 0; i < ROUNDS; i++) {
        Stamps.clear();
        one.on(sqlite, "round-" + i);
        first = Math.min(first, Stamps.cpuSeconds(0, EDGE));
        last = Math.min(last, Stamps.cpuSeconds(LONG - EDGE, LONG));
      }
    }
    reporter.publishEntry("late steps against early ones", Double.toString(last / first));
    assertThat(last / first).isLessThan(LAST_AGAINST_FIRST / (1 - ALLOWED_LOSS));
  }
}
