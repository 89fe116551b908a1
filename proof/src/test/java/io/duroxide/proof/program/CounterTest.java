package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form; {@code ./prove counter} is the long one. */
class CounterTest {
  private static final int RUNS = 20;

  @TempDir private Path folder;

  @Test
  @DisplayName(
      "RL-001 an eternal counter that continues as new every 3 messages counts 200 of 200, one"
          + " node, default options, 20 runs")
  void countsAll() {
    assertThat(CounterForm.SQLITE_ONE_NODE.wrong(folder, RUNS)).isEmpty();
  }
}
