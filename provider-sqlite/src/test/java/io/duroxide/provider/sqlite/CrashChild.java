package io.duroxide.provider.sqlite;

import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.WorkFetch;
import java.nio.file.Path;
import java.time.Duration;

/** Commits {@link TurnWork} as fast as it can until it is killed. */
final class CrashChild {
  private static final Duration LOCK = Duration.ofMillis(500);
  private static final Duration POLL = Duration.ofSeconds(5);
  private static final int TURN_THREADS = 4;

  private final SqliteProvider provider;
  private final TurnWork work;
  private final String name;
  private final int instances;

  private CrashChild(SqliteProvider provider, String name, int instances) {
    this.provider = provider;
    this.work = new TurnWork(provider);
    this.name = name;
    this.instances = instances;
  }

  /**
   * Commits until it is killed.
   *
   * @param arguments the file, a name that no other child has, and how many instances to start
   */
  public static void main(String[] arguments) {
    SqliteProvider provider = SqliteProvider.open(Path.of(arguments[0]));
    CrashChild child = new CrashChild(provider, arguments[1], Integer.parseInt(arguments[2]));
    Thread.ofPlatform().start(child::enqueue);
    for (int i = 0; i < TURN_THREADS; i++) {
      Thread.ofPlatform().start(child::commitTurns);
    }
    Thread.ofPlatform().start(child::runActivities);
  }

  private void enqueue() {
    for (int i = 0; i < instances; i++) {
      work.start(name + "-" + i);
    }
  }

  private void commitTurns() {
    while (true) {
      try {
        provider.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, POLL)).ifPresent(work::commit);
      } catch (ProviderException | InterruptedException slow) {
        // A lock that ran out on a busy machine.
      }
    }
  }

  private void runActivities() {
    while (true) {
      try {
        for (LockedWork locked : provider.fetchWorkItems(WorkFetch.of(LOCK, POLL), 10)) {
          work.complete(locked);
        }
      } catch (ProviderException | InterruptedException slow) {
        // A lock that ran out on a busy machine.
      }
    }
  }
}
