package io.duroxide.provider.sqlite;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Answers each turn with an activity and says whose it was, or that it waited in vain. */
final class EchoChild {
  private EchoChild() {}

  /**
   * Answers until it is killed.
   *
   * @param arguments the file, and how many seconds a wait may take
   */
  public static void main(String[] arguments) throws InterruptedException {
    Duration poll = Duration.ofSeconds(Long.parseLong(arguments[1]));
    try (SqliteProvider provider = SqliteProvider.open(Path.of(arguments[0]))) {
      System.out.println("ready");
      while (true) {
        provider
            .fetchOrchestrationItem(OrchestrationFetch.of(Duration.ofSeconds(30), poll))
            .ifPresentOrElse(
                turn -> answer(provider, turn), () -> System.out.println("nothing came"));
      }
    }
  }

  private static void answer(SqliteProvider provider, LockedOrchestration turn) {
    String instance = turn.item().instance();
    WorkItem activity =
        new WorkItem.ActivityExecute(
            new ActivityKey(instance, 1, 2),
            "Work",
            "{}",
            ActivityRouting.ANYWHERE,
            ActivityOrigin.UNKNOWN);
    provider.commitTurn(
        new TurnSource.Fetched(turn.lockToken()),
        TurnCommit.nothing(1).withWorkerItems(List.of(activity)),
        WorkClaim.NONE);
    System.out.println(instance);
  }
}
