package io.duroxide.proof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Planted bugs")
class PlantedBugTest {
  private static final Path ROOT = Path.of("..");

  static List<PlantedBug> all() {
    return PlantedBug.all(PlantedBug.FOLDER);
  }

  @ParameterizedTest(name = "RL-239 {0}")
  @MethodSource("all")
  @DisplayName("RL-239 every planted bug fits its source once, changes it, and names its lanes")
  void fits(PlantedBug bug) {
    assertThat(bug.id()).matches("P-\\d\\d");
    assertThat(bug.lanes()).contains(1);
    assertThat(ChaosForm.values()).extracting(form -> form.name()).contains(bug.form());
    assertThat(bug.broken()).isNotEmpty().allMatch(text -> text.matches("IV-\\d+"));
    assertThat(bug.changes())
        .isNotEmpty()
        .allSatisfy(change -> {
          assertThat(change.fits(ROOT)).as(change.toString()).isEqualTo(1);
          assertThat(change.to()).isNotEqualTo(change.from());
        });
  }

  @Test
  @DisplayName("RL-239 no two have the same number")
  void different() {
    assertThat(all()).extracting(PlantedBug::id).doesNotHaveDuplicates();
  }
}
