package io.duroxide.cli;

import static io.duroxide.cli.Workplace.ASK;
import static io.duroxide.cli.Workplace.BREAK;
import static io.duroxide.cli.Workplace.LONELY;
import static io.duroxide.cli.Workplace.NAP;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Finding what is stuck")
class StuckTest {
  @TempDir Path folder;

  @Test
  @DisplayName("CLI-STUCK names who waits for what; sleepers and ordinary failures are left out")
  void stuck() {
    try (Workplace work = new Workplace(folder)) {
      assertThat(Shell.script().on(work.file, "stuck").out())
          .isEqualToIgnoringNewLines("nothing is stuck");
      work.begun(LONELY, "lonely-1", "x");
      work.begun(ASK, "ask-1", "may I?");
      work.begun(NAP, "nap-1", "");
      work.ended(BREAK, "broken-1", "no luck");
      Workplace.until(() -> rows(work).size() == 2);

      String shown = Shell.script().on(work.file, "stuck", "--idle", "0s").out();
      assertThat(shown)
          .containsPattern(
              "lonely-1 +Running .* activity 'Nowhere' was scheduled .* ago and has no outcome")
          .containsPattern("ask-1 +Running .* waits for the event 'Approval' for .* 'raise' sends")
          .contains("ready and not taken now: 0 messages to orchestrations, 1 activity");
      assertThat(Shell.script().on(work.file, "stuck").out()).startsWith("nothing is stuck");
      assertThat(Shell.script().on(work.file, "stuck", "--idle", "0s", "--limit", "1").out())
          .contains("and 1 more");
    }
  }

  private static List<String> rows(Workplace work) {
    return Shell.script()
        .on(work.file, "stuck", "--idle", "0s", "--json")
        .json()
        .get("stuck")
        .valueStream()
        .map(row -> row.get("instance").asString() + " " + row.get("missing").asString())
        .toList();
  }

  @Test
  @DisplayName("CLI-STUCK an instance that its new code cannot replay was given up")
  void givenUp() {
    Path file = folder.resolve("work.db");
    try (Workplace work = new Workplace(folder)) {
      work.begun(ASK, "ask-1", "may I?");
    }
    try (SqliteProvider store = SqliteProvider.open(file);
        DuroxideRuntime changed =
            DuroxideRuntime.builder(store)
                .activity(Workplace.GREET, (ctx, name) -> name)
                .orchestration(ASK, (ctx, what) -> ctx.call(Workplace.GREET, what).await())
                .start()) {
      assertThat(changed).isNotNull();
      assertThat(Shell.script().on(file, "raise", "ask-1", "Approval", "yes").exit()).isZero();
      Workplace.until(
          () -> Shell.script().on(file, "stuck").out().contains("was given up: nondeterministic"));
    }
  }
}
