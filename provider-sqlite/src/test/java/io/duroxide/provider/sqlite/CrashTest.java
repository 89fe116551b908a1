package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.provider.InstanceStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  void kills(TestReporter reporter) throws IOException, InterruptedException {
    long seed = Long.getLong("crash.seed", System.nanoTime());
    reporter.publishEntry("crash.seed", Long.toString(seed));
    Random random = new Random(seed);
    int acknowledged = 0;
    try (Folder folder = Folder.create()) {
      for (int kill = 0; kill < KILLS; kill++) {
        List<String> lines = lifeOf("child" + kill, folder.file(), random);
        acknowledged += lines.size();
        check(folder.file(), lines);
      }
    }
    reporter.publishEntry("acknowledged operations", Integer.toString(acknowledged));
    assertThat(acknowledged).isPositive();
  }

  /** Starts a child, kills it in the midst of its work, and returns what it had printed. */
  private static List<String> lifeOf(String name, Path file, Random random)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                CrashChild.class.getName(),
                file.toString(),
                name)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = child.inputReader()) {
      String first = out.readLine();
      assertThat(first).as("first line of %s", name).isNotNull();
      Thread killer =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
                } catch (InterruptedException stop) {
                  Thread.currentThread().interrupt();
                }
                // By its handle: the process itself would also close what it had printed.
                child.toHandle().destroyForcibly();
              });
      List<String> lines = out.lines().toList();
      killer.join();
      child.waitFor();
      return lines;
    }
  }

  private static void check(Path file, List<String> lines) {
    Surgery surgery = new Surgery(file);
    Map<String, Long> turns = new HashMap<>();
    try (SqliteProvider provider = SqliteProvider.open(file)) {
      assertThat(surgery.text("PRAGMA integrity_check")).isEqualTo("ok");
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "E" -> assertThat(isThere(surgery, words[1])).as(line).isTrue();
          case "T" -> turns.merge(words[1], Long.valueOf(words[2]), Math::max);
          case "W" -> assertThat(isQueued(surgery, words[1], words[2])).as(line).isFalse();
          default -> throw new AssertionError("the child said: " + line);
        }
      }
      for (String instance : provider.management().orElseThrow().listInstances()) {
        long turn = wholeTurns(provider, instance);
        assertThat(turn)
            .as("turns of %s", instance)
            .isGreaterThanOrEqualTo(turns.getOrDefault(instance, 0L));
        turns.remove(instance);
      }
    }
    assertThat(turns).as("committed turns whose instance is gone").isEmpty();
  }

  private static boolean isThere(Surgery surgery, String instance) {
    return surgery.number("SELECT count(*) FROM instance WHERE id = ?", instance) == 1;
  }

  private static boolean isQueued(Surgery surgery, String instance, String activity) {
    return surgery.number(
            """
            SELECT count(*) FROM work WHERE activity = ?
              AND instance = (SELECT key FROM instance WHERE id = ?)
            """,
            Long.valueOf(activity),
            instance)
        > 0;
  }

  /** How many turns an instance has; each must have left all of its traces. */
  private static long wholeTurns(SqliteProvider provider, String instance) {
    List<Event> events = provider.read(instance);
    long turn = events.size() / CrashChild.EVENTS_PER_TURN;
    InstanceStatus status = provider.status(instance).orElseThrow();
    assertThat(events).hasSize((int) turn * CrashChild.EVENTS_PER_TURN);
    assertThat(events.getLast().id()).isEqualTo(events.size());
    assertThat(provider.kvValue(instance, "turn")).contains(Long.toString(turn));
    assertThat(status.customStatus().status()).isEqualTo(Long.toString(turn));
    assertThat(status.customStatus().version()).isEqualTo(turn);
    return turn;
  }
}
