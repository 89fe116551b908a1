package io.duroxide.proof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.proof.check.Breach;
import io.duroxide.proof.check.Checker;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run without any fault is good; each kind of damage to what it left is found. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Checker")
class CheckerTest {
  private Path folder;
  private GoodRun run;

  @BeforeAll
  void work(@TempDir Path temporary) {
    folder = temporary;
    run = GoodRun.in(folder.resolve("good"));
  }

  @Test
  @DisplayName("an undisturbed run has no breach")
  void good() {
    assertThat(run.check(Damage.NONE, folder.resolve("again"))).isEmpty();
  }

  @ParameterizedTest(name = "RL-209 {0}")
  @MethodSource("io.duroxide.proof.chaos.Damages#all")
  @DisplayName("RL-209 the checker finds a planted damage for each invariant")
  void damaged(Damage damage) {
    List<Breach> breaches = run.check(damage, folder.resolve(damage.invariant()));
    assertThat(breaches).extracting(Breach::invariant).contains(damage.invariant());
  }

  @Test
  @DisplayName("RL-209 there is a damage for each invariant that can be checked")
  void all() {
    for (int i = 1; i <= 25; i++) {
      String invariant = "IV-" + i;
      boolean damaged = Damages.all().stream().anyMatch(d -> d.invariant().equals(invariant));
      assertThat(damaged != Checker.NOTHING_YET.containsKey(invariant)).as(invariant).isTrue();
    }
  }
}
