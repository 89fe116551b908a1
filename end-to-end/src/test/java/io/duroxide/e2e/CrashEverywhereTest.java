package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.examples.Play;
import io.duroxide.examples.Plays;
import java.util.List;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever the nodes of an example stop, new ones bring it to the same end. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class CrashEverywhereTest {
  private static final int NEVER = Integer.MAX_VALUE;

  @Parameter private Mode mode;

  static List<Play> plays() {
    return Plays.all();
  }

  private static Performance.Ending run(World world, Play play, int firstLife, int laterLives) {
    try (Performance performance = new Performance(world)) {
      return performance.run(play, firstLife, laterLives);
    }
  }

  @ParameterizedTest(name = "RE-262 {0}: a stop after any one commit changes nothing")
  @MethodSource("plays")
  void anyCommit(Play play) {
    Performance.Ending undisturbed = run(World.sqliteInMemory(mode), play, NEVER, NEVER);
    assertThat(undisturbed.stops()).isZero();
    int commit = 0;
    boolean stopped = true;
    while (stopped) {
      commit++;
      Performance.Ending ending = run(World.sqliteInMemory(mode), play, commit, NEVER);
      stopped = ending.stops() == 1;
      assertThat(ending.results())
          .as("results after a stop at commit %d", commit)
          .isEqualTo(undisturbed.results());
      assertThat(ending.recorded())
          .as("recorded after a stop at commit %d", commit)
          .isEqualTo(undisturbed.recorded());
    }
    assertThat(commit).as("commits of a run").isGreaterThan(1);
  }

  @ParameterizedTest(name = "RE-262 {0}: a stop after every commit changes nothing")
  @MethodSource("plays")
  void everyCommit(Play play) {
    Performance.Ending undisturbed = run(World.sqliteInMemory(mode), play, NEVER, NEVER);

    Performance.Ending ending = run(World.sqlite(mode), play, 1, 1);

    assertThat(ending.stops()).isPositive();
    assertThat(ending.results()).isEqualTo(undisturbed.results());
    assertThat(ending.recorded()).isEqualTo(undisturbed.recorded());
  }
}
