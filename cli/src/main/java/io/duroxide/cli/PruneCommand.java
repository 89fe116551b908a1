package io.duroxide.cli;

import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "prune",
    description = {
      "Deletes past executions with their histories; the current one always stays.",
      "Either of the named instances, or of all that match the options."
    })
final class PruneCommand implements Callable<Integer> {
  private static final int AT_ONCE = 100;

  @Mixin private final Common common;
  @Mixin private final Choice choice = new Choice();
  @Mixin private final Consent consent = new Consent();

  @Option(names = "--all", description = "Every instance of the store.")
  private boolean all;

  @Option(
      names = "--keep-last",
      paramLabel = "N",
      description = "Keep this many executions, the current one included.")
  private @Nullable Integer keepLast;

  @Option(
      names = "--keep-for",
      paramLabel = "SPAN",
      converter = Spans.class,
      description = "Keep executions that ended less long ago, such as 7d.")
  private @Nullable Duration keepFor;

  PruneCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    choice.check(all, "name instances, or say by options which, or --all");
    return common.onStore(this::prune);
  }

  private Exit prune(Desk desk) {
    List<String> chosen = chosen(desk);
    consent.require(
        desk.terminal(),
        "this deletes past executions of "
            + Shown.count(chosen.size(), "instance", "instances")
            + " for good");
    PruneResult result = prune(desk, chosen, options(desk.now()));
    desk.answer(
        Forms.object().set("pruned", Forms.pruned(result)),
        "pruned %s: %s, %s deleted"
            .formatted(
                Shown.count(result.instancesProcessed(), "instance", "instances"),
                Shown.count(result.executionsDeleted(), "execution", "executions"),
                Shown.count(result.eventsDeleted(), "event", "events")));
    return Exit.OK;
  }

  private List<String> chosen(Desk desk) {
    if (choice.isNamed()) {
      return choice.named(desk);
    }
    return new Pages(desk.management())
        .instances(choice.filter(desk.now()), Integer.MAX_VALUE).stream()
            .map(InstanceInfo::instance)
            .toList();
  }

  private PruneOptions options(Instant now) {
    @Nullable Instant before = keepFor == null ? null : now.minus(keepFor);
    return new PruneOptions(keepLast, before, 0);
  }

  private static PruneResult prune(Desk desk, List<String> chosen, PruneOptions options) {
    PruneResult sum = PruneResult.NONE;
    try (Progress progress = new Progress(desk, "pruning", chosen.size())) {
      for (int from = 0; from < chosen.size(); from += AT_ONCE) {
        List<String> some = chosen.subList(from, Math.min(chosen.size(), from + AT_ONCE));
        sum = sum.plus(desk.management().pruneBulk(InstanceFilter.ids(some), options, some.size()));
        progress.add(some.size());
      }
    }
    return sum;
  }
}
