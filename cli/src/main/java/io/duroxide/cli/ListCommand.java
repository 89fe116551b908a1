package io.duroxide.cli;

import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;

@Command(name = "list", description = "Lists instances, newest first.")
final class ListCommand implements Callable<Integer> {
  private static final int STATUS_WIDTH = 40;

  @Mixin private final Common common;
  @Mixin private final Selectors selectors = new Selectors();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most this many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "Go on where an earlier list ended.")
  private @Nullable String after;

  ListCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new Stop(Exit.USAGE, "--limit is at least 1, not " + limit);
    }
    return common.onStore(this::list);
  }

  private Exit list(Desk desk) {
    InstanceQuery query = new InstanceQuery(selectors.filter(desk.now()), after, limit);
    InstancePage page = desk.management().list(query);
    if (desk.json()) {
      ArrayNode rows = Forms.array();
      page.rows().forEach(info -> rows.add(Forms.instance(info)));
      var form = Forms.object();
      form.set("instances", rows);
      desk.terminal().line(Forms.pretty(form.put("next", page.next())));
      return Exit.OK;
    }
    print(desk, page);
    return Exit.OK;
  }

  private static void print(Desk desk, InstancePage page) {
    if (page.rows().isEmpty()) {
      desk.terminal().line("no instances");
      return;
    }
    Instant now = desk.now();
    Table table =
        new Table(
            "INSTANCE", "ORCHESTRATION", "VERSION", "STATUS", "EXEC", "CREATED", "UPDATED", "SAYS");
    page.rows().forEach(info -> addRow(table, info, now));
    table.print(desk.terminal());
    if (page.next() != null) {
      desk.terminal().line("more: --after " + page.next());
    }
  }

  private static void addRow(Table table, InstanceInfo info, Instant now) {
    table.row(
        new Table.Cell(Ink.CYAN, Shown.text(info.instance())),
        Table.Cell.of(Shown.text(info.orchestration().name())),
        Table.Cell.of(Shown.text(info.orchestration().version())),
        Statuses.cell(info.status()),
        Table.Cell.of(info.current().executionId()),
        Table.Cell.of(Shown.age(info.createdAt(), now)),
        Table.Cell.of(Shown.age(info.updatedAt(), now)),
        Table.Cell.of(Shown.text(info.customStatus().status(), STATUS_WIDTH)));
  }
}
