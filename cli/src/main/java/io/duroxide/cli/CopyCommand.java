package io.duroxide.cli;

import io.duroxide.management.CopyReport;
import io.duroxide.management.Force;
import io.duroxide.management.StoreCopy;
import io.duroxide.provider.Provider;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;

@Command(
    name = "copy",
    description = {
      "Copies everything that one store holds into another, and compares both afterwards.",
      "Nothing is taken from the first, and nothing in the second is replaced: a copy that was"
          + " interrupted can be repeated."
    })
final class CopyCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "FROM",
      description = "SQLite file or postgresql:// address of the store to copy.")
  private String from;

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "SQLite file or postgresql:// address to copy it to; made if it is missing.")
  private String to;

  @Option(
      names = "--force",
      description = "Also while nodes live or something is locked; what changes meanwhile differs.")
  private boolean force;

  @Option(names = "--json", description = "Answer in JSON, for scripts.")
  private boolean json;

  private final Terminal terminal;

  CopyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (from.equals(to)) {
      throw new Stop(Exit.USAGE, "a store cannot be copied to itself; name another");
    }
    try (Provider source = Stores.open(from, false);
        Provider target = Stores.open(to, true)) {
      return copy(Desk.of(source, terminal, json), target).code();
    } finally {
      terminal.out().flush();
    }
  }

  private Exit copy(Desk desk, Provider target) {
    StoreCopy copy = StoreCopy.between(desk.store(), target);
    long steps = 2 * desk.management().metrics().totalInstances();
    try (Progress progress = new Progress(desk, "copying", steps)) {
      CopyReport report = copy.run(force ? Force.YES : Force.NO, () -> progress.add(1));
      if (json) {
        tell(desk, report);
      } else {
        print(report);
      }
      return report.isComplete() ? Exit.OK : Exit.FAILED;
    }
  }

  private static void tell(Desk desk, CopyReport report) {
    ArrayNode differences = Forms.array();
    for (CopyReport.Difference difference : report.differences()) {
      differences.add(
          Forms.object().put("instance", difference.instance()).put("what", difference.what()));
    }
    desk.terminal()
        .line(
            Forms.pretty(
                Forms.object()
                    .put("copied", report.copied())
                    .put("already_there", report.alreadyThere())
                    .set("differences", differences)));
  }

  private void print(CopyReport report) {
    terminal.line(
        "copied %s; %s there already"
            .formatted(
                Shown.count(report.copied(), "instance", "instances"),
                Shown.count(report.alreadyThere(), "was", "were")));
    if (report.isComplete()) {
      terminal.line("compared: everything is the same in both stores");
      return;
    }
    Table table = new Table("INSTANCE", "DIFFERENCE");
    for (CopyReport.Difference difference : report.differences()) {
      table.row(
          new Table.Cell(Ink.CYAN, Shown.text(difference.instance())),
          Table.Cell.of(Shown.text(difference.what())));
    }
    table.print(terminal);
    terminal.line(
        "compared: "
            + Shown.count(report.differences().size(), "instance differs", "instances differ"));
  }
}
