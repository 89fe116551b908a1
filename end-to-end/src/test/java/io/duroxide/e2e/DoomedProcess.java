package io.duroxide.e2e;

import io.duroxide.examples.Play;
import io.duroxide.examples.Plays;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

/** Runs the nodes of a play until they have made so many commits, and halts on the spot. */
final class DoomedProcess {
  /** The exit status of a process that met its end. */
  static final int HALTED = 42;

  private static final Duration LOCK = Duration.ofMillis(500);

  private DoomedProcess() {}

  /**
   * Runs until it halts, or until its input ends.
   *
   * @param arguments the file, the name of the play, and the number of commits
   */
  public static void main(String[] arguments) throws IOException {
    Provider store = SqliteProvider.open(Path.of(arguments[0]));
    int commits = Integer.parseInt(arguments[2]);
    Lifeline line = new Lifeline(store, commits, () -> Runtime.getRuntime().halt(HALTED));
    for (Play.Node node : Plays.named(arguments[1]).acts().getFirst().nodes()) {
      node.on(
          line.store(),
          RuntimeOptions.builder()
              .orchestratorLockTimeout(LOCK)
              .workerLockTimeout(LOCK)
              .maxAttempts(100));
    }
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }
}
