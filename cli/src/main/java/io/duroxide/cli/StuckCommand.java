package io.duroxide.cli;

import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.Stranded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "stuck",
    description = {
      "Lists instances that do not get on, and why: turns and activities that nobody runs,",
      "children that do not begin, events that do not come, instances that were given up.",
      "Then what is ready in the queues and no live node can run, and why."
    })
final class StuckCommand implements Callable<Integer> {
  /** How many instances are named of those that wait for the same. */
  private static final int NAMED = 5;

  @Mixin private final Common common;

  @Option(
      names = "--idle",
      paramLabel = "SPAN",
      converter = Spans.class,
      defaultValue = "5m",
      description = "How long nothing may happen (default: ${DEFAULT-VALUE}).")
  private Duration patience;

  @Option(
      names = "--failed-within",
      paramLabel = "SPAN",
      converter = Spans.class,
      defaultValue = "7d",
      description = "How far back to look for those given up (default: ${DEFAULT-VALUE}).")
  private Duration memory;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most this many, longest idle first (default: ${DEFAULT-VALUE}).")
  private int limit;

  StuckCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::stuck);
  }

  private Exit stuck(Desk desk) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(running(desk));
    findings.addAll(givenUp(desk));
    findings.sort(Comparator.comparing(Finding::idle).reversed());
    List<Finding> shown = findings.subList(0, Math.min(limit, findings.size()));
    List<Stranded> stranded = desk.management().stranded(NAMED);
    if (desk.json()) {
      ObjectNode form = form(shown, desk.management().depths());
      form.set("stranded", StrandedForms.form(stranded));
      desk.terminal().line(Forms.pretty(form));
    } else if (findings.isEmpty() && stranded.isEmpty()) {
      desk.terminal().line("nothing is stuck");
      queueHint(desk.management().depths()).ifPresent(desk.terminal()::line);
    } else {
      print(desk, shown, findings.size());
      StrandedForms.print(stranded, desk.terminal());
      queueHint(desk.management().depths()).ifPresent(desk.terminal()::line);
    }
    return Exit.OK;
  }

  private List<Finding> running(Desk desk) {
    Instant now = desk.now();
    Pages pages = new Pages(desk.management());
    List<InstanceInfo> candidates =
        pages
            .instances(
                InstanceFilter.running().createdBefore(now.minus(patience)), Integer.MAX_VALUE)
            .stream()
            .filter(info -> !info.updatedAt().isAfter(now.minus(patience)))
            .toList();
    Diagnosis diagnosis = new Diagnosis(now, patience, childBegan(desk));
    List<Finding> findings = new ArrayList<>();
    try (Progress progress = new Progress(desk, "looking", candidates.size())) {
      for (InstanceInfo info : candidates) {
        List<Event> history = new ArrayList<>();
        pages.events(info.current(), 0, history::add);
        diagnosis.of(info, history).ifPresent(findings::add);
        progress.add(1);
      }
    }
    return findings;
  }

  /** Whether the child of a schedule exists; reads the children of an instance once. */
  private static Predicate<Event> childBegan(Desk desk) {
    Pages pages = new Pages(desk.management());
    Map<String, Set<ParentLink>> links = new HashMap<>();
    return wait -> {
      ExecutionKey parent = wait.execution();
      return links
          .computeIfAbsent(
              parent.instance(),
              id ->
                  pages.instances(InstanceFilter.ALL.childrenOf(id), Integer.MAX_VALUE).stream()
                      .flatMap(child -> Stream.ofNullable(child.parent()))
                      .collect(Collectors.toSet()))
          .contains(new ParentLink(parent.instance(), parent.executionId(), wait.id()));
    };
  }

  private List<Finding> givenUp(Desk desk) {
    Instant now = desk.now();
    InstanceFilter filter =
        InstanceFilter.ALL.withStatuses(ExecutionStatus.FAILED).completedFrom(now.minus(memory));
    List<Finding> findings = new ArrayList<>();
    for (InstanceInfo info : new Pages(desk.management()).instances(filter, Integer.MAX_VALUE)) {
      givenUp(desk, info, now).ifPresent(findings::add);
    }
    return findings;
  }

  /** Failures of user code are its own business; these three are the operator's. */
  private static Optional<Finding> givenUp(Desk desk, InstanceInfo info, Instant now) {
    if (!(desk.client().status(info.instance()) instanceof OrchestrationStatus.Failed failed)
        || failed.details() instanceof ErrorDetails.Application) {
      return Optional.empty();
    }
    Duration since = Duration.between(info.updatedAt(), now);
    return Optional.of(
        new Finding(
            info,
            Finding.Kind.POISONED,
            since,
            "was given up: " + failed.details().displayMessage()));
  }

  private static void print(Desk desk, List<Finding> findings, int total) {
    Terminal terminal = desk.terminal();
    if (findings.isEmpty()) {
      return;
    }
    Table table = new Table("INSTANCE", "STATUS", "IDLE", "REASON");
    for (Finding finding : findings) {
      table.row(
          new Table.Cell(Ink.CYAN, Shown.text(finding.instance().instance())),
          Statuses.cell(finding.instance().status()),
          Table.Cell.of(Shown.span(finding.idle())),
          Table.Cell.of(Shown.text(finding.reason())));
    }
    table.print(terminal);
    if (findings.size() < total) {
      terminal.line("and " + (total - findings.size()) + " more: raise --limit");
    }
    terminal.line("");
  }

  /** Also a start that no node takes waits here: its instance does not exist yet. */
  private static Optional<String> queueHint(QueueDepths depths) {
    long messages = depths.orchestrator().ready();
    long activities = depths.worker().ready();
    if (messages + activities == 0) {
      return Optional.empty();
    }
    return Optional.of(
        "ready and not taken now: %s, %s"
            .formatted(
                Shown.count(messages, "message to orchestrations", "messages to orchestrations"),
                Shown.count(activities, "activity", "activities")));
  }

  private static ObjectNode form(List<Finding> findings, QueueDepths depths) {
    ArrayNode rows = Forms.array();
    for (Finding finding : findings) {
      rows.add(
          Forms.instance(finding.instance())
              .put("missing", finding.kind().name().toLowerCase(Locale.ROOT))
              .put("idle_ms", finding.idle().toMillis())
              .put("reason", finding.reason()));
    }
    ObjectNode form = Forms.object();
    form.set("stuck", rows);
    form.set("orchestrator", Forms.depth(depths.orchestrator()));
    form.set("worker", Forms.depth(depths.worker()));
    return form;
  }
}
