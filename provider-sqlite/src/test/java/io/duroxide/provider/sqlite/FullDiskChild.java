package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Works until the disk fails it, says how it was told, and goes on when it is told to. */
final class FullDiskChild {
  private static final int INSTANCES = 5;

  private FullDiskChild() {}

  /**
   * Works.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    SqliteProvider provider = SqliteProvider.open(Path.of(arguments[0]));
    TurnWork work = new TurnWork(provider);
    for (String name = in.readLine(); name != null; name = in.readLine()) {
      try {
        work(provider, work, name);
        work.print("done");
      } catch (ProviderException failure) {
        work.print("failed " + failure.kind() + " " + failure.getMessage());
      }
    }
  }

  private static void work(SqliteProvider provider, TurnWork work, String name)
      throws InterruptedException {
    for (int i = 0; i < INSTANCES; i++) {
      work.start(name + "-" + i);
    }
    var request = OrchestrationFetch.of(Duration.ofSeconds(30), Duration.ZERO);
    for (var locked = provider.fetchOrchestrationItem(request);
        locked.isPresent();
        locked = provider.fetchOrchestrationItem(request)) {
      work.commit(locked.orElseThrow());
    }
  }
}
