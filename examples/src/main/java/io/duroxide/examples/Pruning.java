package io.duroxide.examples;

import static io.duroxide.api.ContinueOptions.prune;
import static io.duroxide.client.StartOptions.autoPrune;
import static io.duroxide.model.Retention.keepLast;

import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.management.Management;
import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.AutoPruneConfig;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.PruneSweep;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Six executions of each instance; who says which of them are kept. */
public final class Pruning {
  static final Orchestration<Integer, String> PATROL =
      Orchestration.of("Patrol", Integer.class, String.class);
  static final Orchestration<Integer, String> BACKUP =
      Orchestration.of("Backup", Integer.class, String.class);
  static final Orchestration<Integer, String> AUDIT =
      Orchestration.of("Audit", Integer.class, String.class);
  static final Orchestration<Integer, String> TIDY =
      Orchestration.of("Tidy", Integer.class, String.class);
  static final Orchestration<Integer, String> LATE =
      Orchestration.of("Late", Integer.class, String.class);

  private Pruning() {}

  static String rounds(OrchestrationContext ctx, int round) {
    return round < 6 ? ctx.continueAsNew(round + 1) : "done";
  }

  static String tidy(OrchestrationContext ctx, int round) {
    return round < 6 ? ctx.continueAsNew(round + 1, prune(keepLast(1))) : "done";
  }

  static String late(OrchestrationContext ctx, int round) {
    if (round < 6) {
      return ctx.continueAsNew(round + 1);
    }
    return ctx.pruneHistory(keepLast(3)).executionsDeleted() + " pruned";
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.orchestration(PATROL, Pruning::rounds)
        .orchestration(BACKUP, Pruning::rounds)
        .autoPrune(BACKUP, AutoPrunePolicy.of(keepLast(3)))
        .orchestration(AUDIT, Pruning::rounds)
        .orchestration(TIDY, Pruning::tidy)
        .orchestration(LATE, Pruning::late);
  }

  static RuntimeOptions options() {
    AutoPruneConfig config =
        AutoPruneConfig.PLAIN
            .withDefault(AutoPrunePolicy.of(keepLast(4)))
            .withOverride("Audit", AutoPrunePolicy.of(keepLast(5)))
            .withFloor(keepLast(2))
            .withSweep(
                PruneSweep.every(Duration.ofHours(1))
                    .deleting(ExecutionStatus.COMPLETED, Duration.ofDays(30)));
    return RuntimeOptions.builder().autoPrune(config).build();
  }

  static List<String> run(Provider store) {
    Client client = Client.of(store);
    client.start(PATROL, "default", 1);
    client.start(BACKUP, "registration", 1);
    client.start(AUDIT, "override", 1);
    client.start(PATROL, "instance", 1, autoPrune(AutoPrunePolicy.of(keepLast(3)).every(2)));
    client.start(PATROL, "never", 1, autoPrune(AutoPrune.DISABLED));
    client.start(TIDY, "code", 1);
    client.start(LATE, "late", 1, autoPrune(AutoPrune.DISABLED));

    Management management = Management.of(store);
    List<String> seen = new ArrayList<>();
    for (String id :
        List.of("default", "registration", "override", "instance", "never", "code", "late")) {
      client.waitForCompletion(id, Duration.ofMinutes(1));
      var kept = management.executions(id, 0, 10).stream().map(ExecutionInfo::executionId);
      seen.add(id + ": " + kept.toList());
    }
    return seen;
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.inMemory();
        var runtime = register(DuroxideRuntime.builder(store).options(options())).start()) {
      run(store).forEach(System.out::println);
    }
  }
}
