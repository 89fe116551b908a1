package io.duroxide.proof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The short form of the lane. {@code -Dchaos.seed} repeats what happens. Steps of the clock are not
 * among the faults: the stores do not keep order under them yet.
 */
@Isolated("it uses all cores")
@DisplayName("Chaos")
class ChaosTest {
  private static RunReport run(ChaosForm form, TestReporter reporter) {
    long seed = Long.getLong("chaos.seed", System.nanoTime());
    reporter.publishEntry("chaos.seed", form + " " + seed);
    RunReport report = ChaosLane.ofBuild().run(form, seed);
    reporter.publishEntry("chaos.report", report.text());
    return report;
  }

  private static void atLeast(RunReport report, Map<FaultKind, Integer> faults, int programs) {
    faults.forEach((kind, count) ->
        assertThat(report.struck().getOrDefault(kind, 0))
            .as(kind.name())
            .isGreaterThanOrEqualTo(count));
    assertThat(report.settings().load().programs()).hasSizeGreaterThanOrEqualTo(programs);
  }

  @Test
  @DisplayName("RL-201 RL-205 nodes on a file are killed and stopped, with every option set")
  void file(TestReporter reporter) {
    RunReport report = run(ChaosForm.FILE, reporter);

    atLeast(report, Map.of(FaultKind.KILL, 15, FaultKind.PAUSE, 2), 200);
    assertThat(report.born()).containsAll(OptionSet.of(StoreKind.SQLITE));
    assertThat(new RunTasks(report.settings()).operations())
        .isGreaterThanOrEqualTo(ChaosForm.OPERATIONS);
  }

  @Test
  @DisplayName("RL-202 RL-205 nodes on a server are killed and stopped, with every option set")
  void server(TestReporter reporter) {
    RunReport report = run(ChaosForm.SERVER, reporter);

    atLeast(report, Map.of(FaultKind.KILL, 15, FaultKind.PAUSE, 2), 150);
    assertThat(report.born()).containsAll(OptionSet.of(StoreKind.POSTGRES));
  }

  @Test
  @DisplayName("RL-203 connections are cut and frozen, and the server crashes")
  void proxied(TestReporter reporter) {
    RunReport report = run(ChaosForm.PROXIED, reporter);

    atLeast(report, Map.of(FaultKind.CUT, 40, FaultKind.FREEZE, 2, FaultKind.CRASH, 1), 50);
  }

  @Test
  @DisplayName("RL-204 the disk is full, and the heap is short")
  void shortage(TestReporter reporter) {
    RunReport report = run(ChaosForm.SHORTAGE, reporter);

    atLeast(report, Map.of(FaultKind.DISK_FULL, 1, FaultKind.HEAP, 3), 50);
  }
}
