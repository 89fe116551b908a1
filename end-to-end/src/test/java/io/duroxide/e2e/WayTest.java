package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The families of tests that run by both ways, counted. */
class WayTest {
  private static final Orchestration<String, String> ECHO =
      Orchestration.of("Echo", String.class, String.class);

  @ParameterizedTest(name = "RL-062 {0} runs with short cuts too")
  @ValueSource(
      classes = {
        CapabilityTest.class,
        CrashRecoveryTest.class,
        PoisonTest.class,
        RollingUpgradeTest.class
      })
  void families(Class<?> family) {
    assertThat(family.getAnnotation(MethodSource.class).value())
        .containsExactly(Way.class.getName() + "#withModes");
    assertThat(Arrays.stream(family.getDeclaredMethods()))
        .filteredOn(method -> method.isAnnotationPresent(Test.class))
        .hasSizeGreaterThanOrEqualTo(10);
  }

  @Test
  @DisplayName("RL-062 each way is run in the modes that it concerns")
  void ways() {
    List<List<Object>> runs =
        Way.withModes().stream().map(arguments -> List.of(arguments.get())).toList();
    for (Mode mode : Mode.chosen()) {
      assertThat(runs).contains(List.of(mode, Way.QUEUES));
    }
    if (Mode.chosen().contains(Mode.KEPT)) {
      assertThat(runs).contains(List.of(Mode.KEPT, Way.SHORT_CUTS));
    }
  }

  @ParameterizedTest(name = "RL-062 a start goes by {0}")
  @EnumSource(Way.class)
  void start(Way way) {
    Faults faults = new Faults();
    way.through(faults);
    try (World world = World.open(Mode.KEPT)) {
      world.decorate(faults::on);
      world.start(node -> node.orchestration(ECHO, (ctx, input) -> input));
      world.client().start(ECHO, "i", "said");
      assertThat(world.output("i")).contains("said");
    }
    boolean isShort = way == Way.SHORT_CUTS;
    assertThat(faults.done(Faults.START)).isEqualTo(isShort ? 1 : 0);
    assertThat(faults.done(Faults.COMMIT)).isEqualTo(isShort ? 0 : 1);
  }
}
