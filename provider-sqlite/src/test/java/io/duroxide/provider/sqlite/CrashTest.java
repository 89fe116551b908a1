package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** A process that is killed at any moment loses nothing that it was told is stored. */
@DisplayName("Crashes")
class CrashTest {
  private static final int KILLS = Integer.getInteger("crash.kills", 20);
  private static final int LONGEST_LIFE_MILLIS = 300;

  @Test
  @DisplayName("what was acknowledged survives SIGKILL, and nothing is there by half")
  void kills(TestReporter reporter) throws InterruptedException {
    long seed = Long.getLong("crash.seed", System.nanoTime());
    reporter.publishEntry("crash.seed", Long.toString(seed));
    Random random = new Random(seed);
    int acknowledged = 0;
    try (Folder folder = Folder.create()) {
      for (int kill = 0; kill < KILLS; kill++) {
        List<String> lines = lifeOf("child" + kill, folder.file(), random);
        acknowledged += lines.size();
        TurnWork.check(folder.file(), lines);
      }
    }
    reporter.publishEntry("acknowledged operations", Integer.toString(acknowledged));
    assertThat(acknowledged).isPositive();
  }

  /** Starts a child, kills it in the midst of its work, and returns what it had printed. */
  private static List<String> lifeOf(String name, Path file, Random random)
      throws InterruptedException {
    try (Child child = Child.start(CrashChild.class, file, name, Integer.MAX_VALUE)) {
      child.hear();
      Thread killer =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
                } catch (InterruptedException stop) {
                  Thread.currentThread().interrupt();
                }
                child.kill();
              });
      List<String> lines = child.hearAll();
      killer.join();
      return lines;
    }
  }
}
