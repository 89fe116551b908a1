package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A disk that takes no more, and then does again: here a limit on the size of files. */
@DisplayName("A disk that is full for a while")
@EnabledOnOs(value = OS.LINUX, disabledReason = "only there can the limit of a process be moved")
class FullDiskTest {
  private static final int ROUNDS = 3;

  private final Folder folder = Folder.create();
  private final List<String> reported = new ArrayList<>();

  @AfterEach
  void close() {
    folder.close();
  }

  @Test
  @DisplayName("operations fail as passing trouble while it lasts, and the same handle goes on")
  void comesBack() throws IOException, InterruptedException {
    try (Child child = Child.start(FullDiskChild.class, folder.file())) {
      child.say("first");
      assertThat(end(child)).isEqualTo("done");
      for (int round = 0; round < ROUNDS; round++) {
        limit(child, Long.toString(written() + 6000L * round));
        child.say("during-" + round);
        assertThat(end(child))
            .startsWith("failed UNAVAILABLE")
            .contains(folder.file().toString(), "check the disk and try again");

        limit(child, "unlimited");
        child.say("after-" + round);
        assertThat(end(child)).isEqualTo("done");
      }
    }
    TurnWork.check(folder.file(), reported);
    assertThat(reported).contains("T first-0 12", "T after-2-4 12");
  }

  /** Keeps what was reported; returns how the work ended. */
  private String end(Child child) {
    String line = child.hear();
    while (!line.equals("done") && !line.startsWith("failed")) {
      reported.add(line);
      line = child.hear();
    }
    return line;
  }

  /** How far the files are written; there is room in the log behind that. */
  private long written() throws IOException {
    byte[] log = Files.readAllBytes(folder.path().resolve("store.db-wal"));
    return Math.max(Files.size(folder.file()), new WriteAheadLog(log).commits().getLast());
  }

  /** The soft limit: a write beyond it fails, and it can be raised again. */
  private static void limit(Child child, String bytes) throws IOException, InterruptedException {
    Process prlimit =
        new ProcessBuilder(
                "prlimit", "--pid", Long.toString(child.pid()), "--fsize=" + bytes + ":unlimited")
            .inheritIO()
            .start();
    assertThat(prlimit.waitFor()).as("exit code of prlimit").isZero();
  }
}
