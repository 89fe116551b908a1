package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;

/**
 * What is on the disk when the power fails: everything before a reported commit, and of what came
 * later any part. Each such state of a recorded run is rebuilt and opened.
 */
@DisplayName("Power loss")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PowerLossTest {
  private static final int SECTOR = 512;
  private static final int TORN_TRIES = 3;
  private static final int CHECKPOINT_TRIES = 25;

  private final Folder recorded = Folder.create();
  private final long seed = Long.getLong("powerloss.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Recording first;
  private Recording checkpointed;
  private Recording second;

  /** The files at a moment when the child stood still, and what it had printed before. */
  private static final class Recording {
    private final byte[] database;
    private final WriteAheadLog log;
    private final List<String> lines;

    Recording(byte[] database, WriteAheadLog log, List<String> lines) {
      this.database = database;
      this.log = log;
      this.lines = lines;
    }

    byte[] database() {
      return database.clone();
    }

    WriteAheadLog log() {
      return log;
    }

    List<String> lines() {
      return lines;
    }
  }

  @BeforeAll
  void record(TestReporter reporter) throws IOException {
    reporter.publishEntry("powerloss.seed", Long.toString(seed));
    try (Child child = Child.start(PowerLossChild.class, recorded.file())) {
      heard(child);
      first = heard(child);
      checkpointed = heard(child);
      second = heard(child);
    }
  }

  @AfterAll
  void clean() {
    recorded.close();
  }

  private Recording heard(Child child) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = child.hear(); !line.equals("standing"); line = child.hear()) {
      lines.add(line);
    }
    Recording recording =
        new Recording(
            Files.readAllBytes(recorded.file()),
            new WriteAheadLog(Files.readAllBytes(log(recorded))),
            lines);
    child.say("go on");
    return recording;
  }

  private static Path log(Folder folder) {
    return folder.path().resolve("store.db-wal");
  }

  @Test
  @DisplayName("every prefix of the log holds what was reported before its end, torn or not")
  void prefixes() {
    byte[] log = first.log().bytes();
    List<Integer> commits = commitsOf(first);
    for (int i = 0; i < commits.size(); i++) {
      List<String> reported = first.lines().subList(0, i);
      int end = commits.get(i);
      survives(first.database(), first.log().prefix(end), reported);
      if (i + 1 < commits.size()) {
        int next = commits.get(i + 1);
        survives(first.database(), first.log().prefix(between(end, next)), reported);
        survives(first.database(), torn(log, end, next), reported);
      }
    }
  }

  /** The ends of the transactions: the last one of the set-up, then one for each line. */
  private static List<Integer> commitsOf(Recording recording) {
    List<Integer> commits = recording.log().commits();
    assertThat(commits).hasSizeGreaterThanOrEqualTo(recording.lines().size() + 1);
    return commits.subList(commits.size() - recording.lines().size() - 1, commits.size());
  }

  private int between(int from, int to) {
    return from + 1 + random.nextInt(to - from - 1);
  }

  /** The log up to {@code to}, of which some sectors behind {@code from} never reached the disk. */
  private byte[] torn(byte[] log, int from, int to) {
    byte[] torn = Arrays.copyOf(log, to);
    for (int tries = 0; tries < TORN_TRIES; tries++) {
      int at = from + random.nextInt(to - from);
      int sectorEnd = Math.min(to, (at / SECTOR + 1) * SECTOR);
      byte[] garbage = new byte[sectorEnd - at];
      if (random.nextBoolean()) {
        random.nextBytes(garbage);
      }
      System.arraycopy(garbage, 0, torn, at, garbage.length);
    }
    return torn;
  }

  @Test
  @DisplayName("a checkpoint that is cut off anywhere loses nothing")
  void checkpoint() {
    for (int i = 0; i < CHECKPOINT_TRIES; i++) {
      byte[] mixed = Arrays.copyOf(first.database(), checkpointed.database().length);
      int written = random.nextInt(checkpointed.database().length);
      for (int at = 0; at < mixed.length; at += SECTOR) {
        boolean reached = at < written ? random.nextInt(10) > 0 : random.nextInt(10) == 0;
        if (reached) {
          System.arraycopy(checkpointed.database(), at, mixed, at, SECTOR);
        }
      }
      survives(mixed, first.log().bytes(), first.lines());
    }
  }

  @Test
  @DisplayName("a log that is written over from its beginning holds what was reported, torn or not")
  void restartedLog() {
    List<Integer> commits = second.log().commits();
    assertThat(second.log().bytes()).hasSameSizeAs(checkpointed.log().bytes());
    assertThat(second.database()).isEqualTo(checkpointed.database());
    assertThat(commits).hasSize(second.lines().size());
    int before = 0;
    for (int i = 0; i <= commits.size(); i++) {
      List<String> reported = new ArrayList<>(first.lines());
      reported.addAll(second.lines().subList(0, i));
      survives(second.database(), second.log().prefixOver(checkpointed.log(), before), reported);
      if (i < commits.size()) {
        int next = commits.get(i);
        byte[] cut = second.log().prefixOver(checkpointed.log(), between(before, next));
        survives(second.database(), cut, reported);
        before = next;
      }
    }
  }

  /** Opens the state in a folder of its own, and looks. */
  private static void survives(byte[] database, byte[] log, List<String> reported) {
    try (Folder folder = Folder.create()) {
      Files.write(folder.file(), database);
      Files.write(log(folder), log);
      TurnWork.check(folder.file(), reported);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
