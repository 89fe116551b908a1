package io.duroxide.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The long forms of lanes run elsewhere; here stands what their records must say. */
class LaneRecordTest {
  /** A snapshot may lack a record; a release may not. */
  private static void recordSatisfies(String lane, Predicate<LaneRecord> demand) {
    Optional<LaneRecord> record = LaneRecord.committed(lane);
    if (record.isPresent() || isRelease()) {
      assertThat(record)
          .as("record of %s; take it with ./prove %s --record", lane, lane)
          .isPresent();
      assertThat(record.orElseThrow()).matches(demand);
    }
  }

  private static boolean isRelease() {
    return !System.getProperty("project.version").endsWith("-SNAPSHOT");
  }

  private static LaneRecord sample(String verdict, Map<String, Long> figures) {
    return new LaneRecord("sample", "0123abc", verdict, figures);
  }

  private static boolean isQuickEnough(LaneRecord record) {
    return record.isGreen()
        && record.figure("fullSeconds") <= 600
        && record.figure("quickSeconds") <= 120;
  }

  @Test
  @DisplayName("RL-242 the full build ends within 10 minutes, the quick one within 2, by record")
  void build() {
    assertThat(sample("green", Map.of("fullSeconds", 600L, "quickSeconds", 120L)))
        .matches(LaneRecordTest::isQuickEnough);
    assertThat(sample("green", Map.of("fullSeconds", 601L, "quickSeconds", 120L)))
        .doesNotMatch(LaneRecordTest::isQuickEnough);
    assertThat(sample("green", Map.of("fullSeconds", 600L, "quickSeconds", 121L)))
        .doesNotMatch(LaneRecordTest::isQuickEnough);

    recordSatisfies("build", LaneRecordTest::isQuickEnough);
  }

  private static boolean isSteady(LaneRecord record) {
    return record.isGreen()
        && record.figure("builds") >= 20
        && record.figure("red") == 0
        && record.figure("busyLoops") >= 2;
  }

  @Test
  @DisplayName("RL-244 20 builds in a row beside two busy loops, none of them red, by record")
  void flakes() {
    assertThat(sample("green", Map.of("builds", 20L, "red", 0L, "busyLoops", 2L)))
        .matches(LaneRecordTest::isSteady);
    assertThat(sample("green", Map.of("builds", 19L, "red", 0L, "busyLoops", 2L)))
        .doesNotMatch(LaneRecordTest::isSteady);
    assertThat(sample("red", Map.of("builds", 20L, "red", 1L, "busyLoops", 2L)))
        .doesNotMatch(LaneRecordTest::isSteady);

    recordSatisfies("flakes", LaneRecordTest::isSteady);
  }

  private static final List<String> COUNTERS =
      List.of("sqlite_one_node", "sqlite_two_nodes", "postgres_two_nodes");

  private static boolean countsRight(LaneRecord record) {
    return record.isGreen() && COUNTERS.stream().allMatch(form -> record.figure(form) >= 1_000);
  }

  @Test
  @DisplayName("RL-001 RL-002 1,000 counters on each store, none of them wrong, by record")
  void counter() {
    Map<String, Long> right =
        Map.of("sqlite_one_node", 1000L, "sqlite_two_nodes", 1000L, "postgres_two_nodes", 1000L);
    assertThat(sample("green", right)).matches(LaneRecordTest::countsRight);
    assertThat(sample("red", right)).doesNotMatch(LaneRecordTest::countsRight);
    Map<String, Long> fewer = new HashMap<>(right);
    fewer.put("sqlite_two_nodes", 999L);
    assertThat(sample("green", fewer)).doesNotMatch(LaneRecordTest::countsRight);

    recordSatisfies("counter", LaneRecordTest::countsRight);
  }
}
