package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.WorkFetch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Commits {@link TurnWork} one operation after the other, so that each line is one transaction.
 * Before the work, between its two halves and at the end it stands still until it is told to go on.
 */
final class PowerLossChild {
  private static final Duration LOCK = Duration.ofMinutes(10);
  private static final int INSTANCES = 3;
  private static final int TURNS = 3;

  private final Path file;
  private final SqliteProvider provider;
  private final TurnWork work;
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private PowerLossChild(Path file) {
    this.file = file;
    this.provider = SqliteProvider.open(file);
    this.work = new TurnWork(provider);
  }

  /**
   * Works.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PowerLossChild child = new PowerLossChild(Path.of(arguments[0]));
    child.stand();
    child.commit("first");
    child.stand();
    new Surgery(child.file).text("PRAGMA wal_checkpoint(RESTART)");
    child.stand();
    child.commit("second");
    child.stand();
  }

  private void stand() throws IOException {
    work.print("standing");
    in.readLine();
  }

  private void commit(String name) throws InterruptedException {
    for (int i = 0; i < INSTANCES; i++) {
      work.start(name + "-" + i);
      for (int turn = 0; turn < TURNS; turn++) {
        var locked =
            provider
                .fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO))
                .orElseThrow();
        work.print("L " + locked.item().instance());
        work.commit(locked);
        var activity = provider.fetchWorkItem(WorkFetch.of(LOCK, Duration.ZERO)).orElseThrow();
        work.print("L " + activity.key().instance());
        work.complete(activity);
      }
    }
  }
}
