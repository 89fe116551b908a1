package io.duroxide.cli;

import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "depths", description = "Shows what waits in the queues, and totals of the store.")
final class DepthsCommand implements Callable<Integer> {
  @Mixin private final Common common;

  DepthsCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(DepthsCommand::depths);
  }

  private static Exit depths(Desk desk) {
    QueueDepths depths = desk.management().depths();
    SystemMetrics totals = desk.management().metrics();
    if (desk.json()) {
      desk.terminal().line(Forms.pretty(form(depths, totals)));
      return Exit.OK;
    }
    Table table = new Table("QUEUE", "READY", "DELAYED", "LOCKED");
    addRow(table, "orchestrator", depths.orchestrator());
    addRow(table, "worker", depths.worker());
    table.print(desk.terminal());
    desk.terminal().line("");
    desk.terminal()
        .line(
            "%s: %,d running, %,d completed, %,d failed; %s, %s"
                .formatted(
                    Shown.count(totals.totalInstances(), "instance", "instances"),
                    totals.runningInstances(),
                    totals.completedInstances(),
                    totals.failedInstances(),
                    Shown.count(totals.totalExecutions(), "execution", "executions"),
                    Shown.count(totals.totalEvents(), "event", "events")));
    return Exit.OK;
  }

  private static void addRow(Table table, String queue, QueueDepth depth) {
    table.row(
        Table.Cell.of(queue),
        Table.Cell.of(depth.ready()),
        Table.Cell.of(depth.delayed()),
        Table.Cell.of(depth.locked()));
  }

  private static ObjectNode form(QueueDepths depths, SystemMetrics totals) {
    ObjectNode form = Forms.object();
    form.set("orchestrator", Forms.depth(depths.orchestrator()));
    form.set("worker", Forms.depth(depths.worker()));
    form.set(
        "instances",
        Forms.object()
            .put("total", totals.totalInstances())
            .put("running", totals.runningInstances())
            .put("completed", totals.completedInstances())
            .put("failed", totals.failedInstances()));
    return form.put("executions", totals.totalExecutions()).put("events", totals.totalEvents());
  }
}
