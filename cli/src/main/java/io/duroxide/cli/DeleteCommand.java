package io.duroxide.cli;

import io.duroxide.management.Force;
import io.duroxide.management.InstanceTree;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "delete",
    description = {
      "Deletes instances with all their descendants.",
      "Either roots by id, or all finished roots that match the options."
    })
final class DeleteCommand implements Callable<Integer> {
  private static final int TREES_AT_ONCE = 100;

  @Mixin private final Common common;
  @Mixin private final Choice choice = new Choice();
  @Mixin private final Consent consent = new Consent();

  @Option(names = "--force", description = "Also what still runs; the last resort.")
  private boolean force;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "By options: at most this many trees (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--dry-run", description = "By options: only say what would be deleted.")
  private boolean dryRun;

  DeleteCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    choice.check(false, "name instances, or say by options which: one of the two");
    if (limit < 1) {
      throw new Stop(Exit.USAGE, "--limit is at least 1, not " + limit);
    }
    return common.onStore(desk -> choice.isNamed() ? deleteNamed(desk) : deleteMatching(desk));
  }

  private Exit deleteNamed(Desk desk) {
    List<String> ids = choice.named(desk);
    long members = ids.stream().map(desk.management()::tree).mapToLong(InstanceTree::size).sum();
    String what = Shown.count(members, "instance", "instances");
    if (dryRun) {
      desk.answer(Forms.object().put("would_delete", members), "would delete " + what);
      return Exit.OK;
    }
    consent.require(desk.terminal(), "this deletes " + what + " for good");
    DeleteResult sum = DeleteResult.NONE;
    try (Progress progress = new Progress(desk, "deleting", ids.size())) {
      for (String id : ids) {
        sum = sum.plus(desk.management().delete(id, force ? Force.YES : Force.NO));
        progress.add(1);
      }
    }
    report(desk, "deleted", sum);
    return Exit.OK;
  }

  private Exit deleteMatching(Desk desk) {
    InstanceFilter filter = choice.filter(desk.now());
    BulkDeletion how = BulkDeletion.DEFAULT.withLimit(limit);
    if (force) {
      how = how.includingRunningDescendants();
    }
    DeleteResult expected = desk.management().deleteBulk(filter, how.asDryRun());
    if (dryRun || expected.instancesDeleted() == 0) {
      report(desk, dryRun ? "would delete" : "deleted", expected);
      return Exit.OK;
    }
    consent.require(
        desk.terminal(),
        "this deletes "
            + Shown.count(expected.instancesDeleted(), "instance", "instances")
            + " for good");
    report(desk, "deleted", deleteInPieces(desk, filter, how, expected.instancesDeleted()));
    return Exit.OK;
  }

  private DeleteResult deleteInPieces(
      Desk desk, InstanceFilter filter, BulkDeletion how, long expected) {
    DeleteResult sum = DeleteResult.NONE;
    try (Progress progress = new Progress(desk, "deleting", expected)) {
      for (int left = limit; left > 0; left -= TREES_AT_ONCE) {
        BulkDeletion piece = how.withLimit(Math.min(left, TREES_AT_ONCE));
        DeleteResult done = desk.management().deleteBulk(filter, piece);
        if (done.instancesDeleted() == 0) {
          break;
        }
        sum = sum.plus(done);
        progress.add(done.instancesDeleted());
      }
    }
    return sum;
  }

  private static void report(Desk desk, String deed, DeleteResult result) {
    desk.answer(
        Forms.object().set(deed.replace(' ', '_'), Forms.deleted(result)),
        "%s %s, %s, %s, %s"
            .formatted(
                deed,
                Shown.count(result.instancesDeleted(), "instance", "instances"),
                Shown.count(result.executionsDeleted(), "execution", "executions"),
                Shown.count(result.eventsDeleted(), "event", "events"),
                Shown.count(result.queueMessagesDeleted(), "queued message", "queued messages")));
  }
}
