package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.examples.Play;
import io.duroxide.examples.Plays;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As {@link CrashEverywhereTest}, with processes that really end. */
class ProcessKillTest {
  private static final int NEVER = Integer.MAX_VALUE;

  @TempDir private Path folder;

  @ParameterizedTest(
      name = "RE-262 {0}: processes that halt after {1} commits come to the same end")
  @CsvSource({"Chain, 1, 6", "TripSaga, 3, 2"})
  void processes(String name, int commits, int leastDeaths) throws Exception {
    Play play = Plays.named(name);
    int deaths = 0;
    try (Provider store = SqliteProvider.open(folder.resolve("store.db"))) {
      CompletableFuture<Object> script =
          CompletableFuture.supplyAsync(
              () -> play.acts().getFirst().script().apply(Client.of(store)),
              Executors.newVirtualThreadPerTaskExecutor());
      while (!script.isDone()) {
        deaths += lifeOf(name, commits, script) == DoomedProcess.HALTED ? 1 : 0;
      }
      Performance.Ending undisturbed = undisturbed(play);
      assertThat(script.join()).isEqualTo(undisturbed.results().getFirst());
      assertThat(Recorded.in(store)).isEqualTo(undisturbed.recorded());
      Recorded.check(store);
    }
    assertThat(deaths).isGreaterThanOrEqualTo(leastDeaths);
  }

  private static Performance.Ending undisturbed(Play play) {
    try (Performance performance = new Performance(World.sqliteInMemory(Mode.KEPT))) {
      return performance.run(play, NEVER, NEVER);
    }
  }

  /** Runs a process until it halts or is no longer needed; gives its exit status. */
  private int lifeOf(String play, int commits, CompletableFuture<Object> script)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                DoomedProcess.class.getName(),
                folder.resolve("store.db").toString(),
                play,
                Integer.toString(commits))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .start();
    while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
      if (script.isDone()) {
        process.getOutputStream().close();
      }
    }
    return process.exitValue();
  }
}
