package io.duroxide.proof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Fault plan")
class FaultPlanTest {

  @Test
  @DisplayName("RL-207 a seed gives the same programs, options and plan")
  void repeatable() {
    for (ChaosSettings settings :
        List.of(ChaosForm.FILE.settings(7), ChaosForm.PROXIED.settings(7))) {
      ChaosSettings again = ChaosSettings.fromJson(settings.toJson());
      assertThat(again).isEqualTo(settings);
      assertThat(FaultPlan.of(again)).isEqualTo(FaultPlan.of(settings));
      assertThat(births(again)).isEqualTo(births(settings));
      assertThat(new RunTasks(again).orders()).isEqualTo(new RunTasks(settings).orders());
      assertThat(new RunTasks(again).mailings()).isEqualTo(new RunTasks(settings).mailings());
    }
    assertThat(FaultPlan.of(ChaosForm.FILE.settings(7)))
        .isNotEqualTo(FaultPlan.of(ChaosForm.FILE.settings(8)));
  }

  private static List<OptionSet> births(ChaosSettings settings) {
    return IntStream.range(0, 20).mapToObj(i -> FaultPlan.options(settings, i)).toList();
  }

  @Test
  @DisplayName(
      "RL-205 a plan has the faults that were asked for, and each option set comes in turn")
  void complete() {
    ChaosSettings settings = ChaosForm.SERVER.settings(1);
    List<Fault> plan = FaultPlan.of(settings);
    for (FaultKind kind : FaultKind.values()) {
      assertThat(plan.stream().filter(fault -> fault.kind() == kind).count())
          .as(kind.name())
          .isEqualTo(settings.count(kind));
    }
    List<OptionSet> sets = OptionSet.of(StoreKind.POSTGRES);
    assertThat(births(settings).subList(0, sets.size())).containsExactlyInAnyOrderElementsOf(sets);
  }
}
