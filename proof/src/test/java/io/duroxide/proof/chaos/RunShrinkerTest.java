package io.duroxide.proof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Run shrinker")
class RunShrinkerTest {

  @Test
  @DisplayName("faults, processes and programs that a failure does not need are left out")
  void shrinks() {
    RunShrinker shrinker =
        new RunShrinker(
            settings ->
                settings.count(FaultKind.PAUSE) > 0
                    && settings.nodes() >= 2
                    && settings.load().programs().contains(17),
            1,
            Duration.ofMinutes(1));

    ChaosSettings smallest = shrinker.shrink(ChaosForm.FILE.settings(1));

    assertThat(smallest.faults()).isEqualTo(Map.of(FaultKind.PAUSE, 1));
    assertThat(smallest.nodes()).isEqualTo(2);
    assertThat(smallest.clients()).isZero();
    assertThat(smallest.load().programs()).isEqualTo(List.of(17));
    assertThat(smallest.load().entities()).isEmpty();
  }
}
