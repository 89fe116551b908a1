package io.duroxide.examples;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.management.Force;
import io.duroxide.management.Management;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.Provider;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What an operator can do: find, look into, prune, delete, and learn what no node can run. */
public final class ManagementTour {
  static final Orchestration<Integer, String> ROUNDS =
      Orchestration.of("Rounds", Integer.class, String.class);
  static final Orchestration<String, String> LAP =
      Orchestration.of("Lap", String.class, String.class);
  static final Orchestration<String, String> ELSEWHERE =
      Orchestration.of("Elsewhere", String.class, String.class);

  private ManagementTour() {}

  static String rounds(OrchestrationContext ctx, int round) {
    ctx.call(LAP, "round " + round, ChildOptions.instanceId("lap-" + round)).await();
    return round < 3 ? ctx.continueAsNew(round + 1) : "home";
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.orchestration(LAP, (ctx, in) -> in).orchestration(ROUNDS, ManagementTour::rounds);
  }

  static List<String> run(Provider store) {
    Client client = Client.of(store);
    client.start(ROUNDS, "rounds-1", 1);
    client.waitFor(ROUNDS, "rounds-1", Duration.ofMinutes(1));
    client.start(ELSEWHERE, "away-1", "");

    Management management = Management.of(store);
    List<String> seen = new ArrayList<>();
    InstanceFilter filter = InstanceFilter.finished().named("Rounds");
    for (var row : management.list(InstanceQuery.firstPage(filter, 20)).rows()) {
      seen.add(
          row.instance() + " " + row.status() + " in execution " + row.current().executionId());
    }
    seen.add("tree: " + management.tree("rounds-1").instances().stream().sorted().toList());
    for (var execution : management.executions("rounds-1", 0, 10)) {
      seen.add("execution " + execution.executionId() + ": " + execution.status());
    }
    seen.add(management.history(new ExecutionKey("rounds-1", 1)).size() + " events in the first");
    seen.add(
        management.prune("rounds-1", PruneOptions.keepLast(1)).executionsDeleted() + " pruned");
    management.stranded(5).forEach(stranded -> seen.add(stranded.words()));

    var dryRun = BulkDeletion.DEFAULT.asDryRun();
    seen.add(management.deleteBulk(filter, dryRun).instancesDeleted() + " would be deleted");
    seen.add(management.delete("rounds-1", Force.NO).instancesDeleted() + " deleted");
    return seen;
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.inMemory();
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      run(store).forEach(System.out::println);
    }
  }
}
