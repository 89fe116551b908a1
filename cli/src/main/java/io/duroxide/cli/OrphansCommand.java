package io.duroxide.cli;

import io.duroxide.management.CleanedOrphans;
import io.duroxide.management.OrphanCleaning;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;

@Command(
    name = "orphans",
    description = {
      "Lists children that nobody waits for: their parent is gone, has finished or moved on.",
      "With --delete, deletes those that have finished, with their descendants."
    })
final class OrphansCommand implements Callable<Integer> {
  @Mixin private final Common common;
  @Mixin private final Consent consent = new Consent();

  @Option(names = "--delete", description = "Delete those that have finished.")
  private boolean delete;

  @Option(
      names = "--cancel-running",
      description = "With --delete: ask those that run to stop; the next time they are deleted.")
  private boolean cancelRunning;

  @Option(names = "--dry-run", description = "With --delete: only say what would be done.")
  private boolean dryRun;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most this many (default: ${DEFAULT-VALUE}).")
  private int limit;

  OrphansCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new Stop(Exit.USAGE, "--limit is at least 1, not " + limit);
    }
    if (!delete && (cancelRunning || dryRun)) {
      throw new Stop(Exit.USAGE, "--cancel-running and --dry-run go with --delete");
    }
    return common.onStore(desk -> delete ? clean(desk) : list(desk));
  }

  private Exit list(Desk desk) {
    OrphanPage page = desk.management().orphans(OrphanFilter.ALL, null, limit);
    if (desk.json()) {
      ArrayNode rows = Forms.array();
      for (Orphan orphan : page.rows()) {
        rows.add(
            Forms.instance(orphan.instance())
                .put("orphan", orphan.kind().name().toLowerCase(Locale.ROOT)));
      }
      desk.terminal().line(Forms.pretty(Forms.object().set("orphans", rows)));
    } else if (page.rows().isEmpty()) {
      desk.terminal().line("no orphans");
    } else {
      print(page, desk.terminal());
    }
    return Exit.OK;
  }

  private static void print(OrphanPage page, Terminal terminal) {
    Table table = new Table("INSTANCE", "STATUS", "PARENT", "WHY");
    for (Orphan orphan : page.rows()) {
      String parent = Objects.requireNonNull(orphan.instance().parent()).instance();
      table.row(
          new Table.Cell(Ink.CYAN, Shown.text(orphan.instance().instance())),
          Statuses.cell(orphan.instance().status()),
          Table.Cell.of(Shown.text(parent)),
          Table.Cell.of(why(orphan.kind())));
    }
    table.print(terminal);
    if (page.next() != null) {
      terminal.line("and more: raise --limit");
    }
  }

  private static String why(OrphanKind kind) {
    return switch (kind) {
      case PARENT_GONE -> "its parent does not exist";
      case PARENT_FINISHED -> "its parent has finished";
      case PARENT_MOVED_ON -> "its parent is in a later execution";
    };
  }

  private Exit clean(Desk desk) {
    OrphanCleaning how = new OrphanCleaning(limit, cancelRunning, true);
    CleanedOrphans expected = desk.management().cleanOrphans(OrphanFilter.ALL, how);
    boolean nothing =
        expected.deleted().instancesDeleted() == 0 && expected.cancelsRequested() == 0;
    if (dryRun || nothing) {
      report(desk, expected, dryRun ? "would delete" : "deleted");
      return Exit.OK;
    }
    consent.require(
        desk.terminal(),
        "this deletes %s for good and cancels %s"
            .formatted(
                Shown.count(expected.deleted().instancesDeleted(), "instance", "instances"),
                Shown.count(expected.cancelsRequested(), "that runs", "that run")));
    OrphanCleaning now = new OrphanCleaning(limit, cancelRunning, false);
    report(desk, desk.management().cleanOrphans(OrphanFilter.ALL, now), "deleted");
    return Exit.OK;
  }

  private static void report(Desk desk, CleanedOrphans result, String deed) {
    desk.answer(
        Forms.object()
            .put("running", result.running())
            .put("cancels_requested", result.cancelsRequested())
            .set(deed.replace(' ', '_'), Forms.deleted(result.deleted())),
        "%s %s, %s; %s still, %s cancelled"
            .formatted(
                deed,
                Shown.count(result.deleted().instancesDeleted(), "instance", "instances"),
                Shown.count(result.deleted().eventsDeleted(), "event", "events"),
                Shown.count(result.running(), "orphan runs", "orphans run"),
                Shown.count(result.cancelsRequested(), "was", "were")));
  }
}
