package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Children that nobody waits for")
class OrphansTest {
  @TempDir Path folder;

  @Test
  @DisplayName("CLI-ORPHANS lists them with the reason, and deletes those that have finished")
  void orphans() {
    try (Workplace work = new Workplace(folder)) {
      assertThat(Shell.script().on(work.file, "orphans").out())
          .isEqualToIgnoringNewLines("no orphans");
      work.ended(Workplace.FAMILY, "family-1", "Kim");
      assertThat(Shell.script().on(work.file, "orphans").out())
          .containsPattern("family-1::sub::2 +Completed +family-1 +its parent has finished");
      assertThat(
              Shell.script()
                  .on(work.file, "orphans", "--json")
                  .json()
                  .get("orphans")
                  .get(0)
                  .get("orphan")
                  .asString())
          .isEqualTo("parent_finished");

      assertThat(Shell.script().on(work.file, "orphans", "--delete", "--dry-run").out())
          .startsWith("would delete 1 instance, 4 events");
      assertThat(Shell.script().on(work.file, "orphans", "--delete").exit()).isEqualTo(4);
      assertThat(Shell.script().on(work.file, "orphans", "--delete", "--yes").out())
          .startsWith("deleted 1 instance, 4 events");
      assertThat(Shell.script().on(work.file, "orphans").out()).contains("no orphans");
      assertThat(Shell.script().on(work.file, "show", "family-1").exit()).isZero();
    }
  }

  @Test
  @DisplayName("CLI-ORPHANS refuses options that make no sense")
  void refused() {
    Path file = folder.resolve("none.db");
    assertThat(Shell.script().on(file, "orphans", "--dry-run").exit()).isEqualTo(2);
    assertThat(Shell.script().on(file, "orphans", "--limit", "0").exit()).isEqualTo(2);
  }
}
