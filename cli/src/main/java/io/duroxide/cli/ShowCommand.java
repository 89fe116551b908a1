package io.duroxide.cli;

import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "show",
    description = "Shows one instance: its status, the timeline of its events, its children.")
final class ShowCommand implements Callable<Integer> {
  @Mixin private final Common common;

  @Parameters(paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Option(
      names = "--execution",
      paramLabel = "N",
      description = "The timeline of this execution instead of the current one.")
  private @Nullable Long execution;

  @Option(names = "--full", description = "Payloads in full length.")
  private boolean full;

  ShowCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::show);
  }

  private Exit show(Desk desk) {
    InstanceInfo info = desk.instance(id);
    Pages pages = new Pages(desk.management());
    List<ExecutionInfo> executions = pages.executions(id);
    ExecutionKey key = execution == null ? info.current() : new ExecutionKey(id, execution);
    if (executions.stream().noneMatch(e -> e.executionId() == key.executionId())) {
      throw new Stop(
          Exit.FAILED,
          "instance '" + id + "' has no execution " + key.executionId() + " (any more)");
    }
    List<Event> events = new ArrayList<>();
    pages.events(key, 0, events::add);
    FamilyTree tree =
        new FamilyTree(info, pages.instances(InstanceFilter.ALL.treeOf(id), Integer.MAX_VALUE));
    if (desk.json()) {
      desk.terminal().line(Forms.pretty(form(info, executions, events, tree)));
    } else {
      print(desk, info, executions);
      printEvents(desk, key, events);
      printTree(desk, tree);
    }
    return Exit.OK;
  }

  private static ObjectNode form(
      InstanceInfo info, List<ExecutionInfo> executions, List<Event> events, FamilyTree tree) {
    ObjectNode form = Forms.instance(info);
    ArrayNode past = Forms.array();
    executions.forEach(each -> past.add(Forms.execution(each)));
    form.set("executions", past);
    form.set("events", Forms.events(events));
    form.set("tree", tree.form());
    return form;
  }

  private static void print(Desk desk, InstanceInfo info, List<ExecutionInfo> executions) {
    Instant now = desk.now();
    fact(desk, "instance", Shown.text(info.instance()));
    fact(
        desk,
        "runs",
        Shown.text(info.orchestration().name() + " " + info.orchestration().version()));
    if (info.pin() != null) {
      fact(desk, "framework", Shown.text(info.pin().text()));
    }
    fact(desk, "status", status(desk, info));
    if (info.parentInstance() != null) {
      fact(desk, "parent", Shown.text(info.parentInstance()));
    }
    if (info.customStatus().status() != null) {
      fact(desk, "says", Shown.text(info.customStatus().status()));
    }
    if (info.output() != null && info.isFinished()) {
      fact(desk, "output", Shown.text(info.output()));
    }
    fact(desk, "created", time(info.createdAt(), now));
    fact(desk, "updated", time(info.updatedAt(), now));
    if (info.completedAt() != null) {
      fact(desk, "ended", time(info.completedAt(), now));
    }
    fact(
        desk,
        "executions",
        executions.size() + " stored, current is " + info.current().executionId());
    desk.client()
        .stats(info.instance())
        .ifPresent(stats ->
            fact(
                desk,
                "holds",
                "%s in %,d bytes, %s"
                    .formatted(
                        Shown.count(stats.historyEventCount(), "event", "events"),
                        stats.historySizeBytes(),
                        Shown.count(stats.kvUserKeyCount(), "key", "keys"))));
  }

  private static String status(Desk desk, InstanceInfo info) {
    String text = desk.terminal().paint(Statuses.ink(info.status()), info.status().stored());
    return desk.client().status(info.instance()) instanceof OrchestrationStatus.Failed failed
            && failed.isCancelled()
        ? text + " (cancelled)"
        : text;
  }

  private static void fact(Desk desk, String name, String value) {
    desk.terminal().line(desk.terminal().paint(Ink.BOLD, "%-10s".formatted(name)) + "  " + value);
  }

  private static String time(Instant then, Instant now) {
    return Shown.instant(then) + " (" + Shown.age(then, now) + ")";
  }

  private void printEvents(Desk desk, ExecutionKey key, List<Event> events) {
    desk.terminal().line("");
    desk.terminal().line(desk.terminal().paint(Ink.BOLD, "execution " + key.executionId()));
    Timeline.table(events, full).print(desk.terminal());
  }

  private static void printTree(Desk desk, FamilyTree tree) {
    if (tree.isRootOnly()) {
      return;
    }
    desk.terminal().line("");
    desk.terminal().line(desk.terminal().paint(Ink.BOLD, "tree"));
    tree.print(desk.terminal());
  }
}
