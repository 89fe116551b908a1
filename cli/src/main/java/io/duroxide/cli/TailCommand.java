package io.duroxide.cli;

import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "tail",
    description = {
      "Follows the events of an instance until it ends.",
      "With --json: one stored event on each line."
    })
final class TailCommand implements Callable<Integer> {
  private static final Duration GLANCE = Duration.ofMillis(500);

  @Mixin private final Common common;

  @Parameters(paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Option(
      names = "--for",
      paramLabel = "SPAN",
      converter = Spans.class,
      description = "Give up after this time (default: never).")
  private @Nullable Duration patience;

  TailCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::follow);
  }

  private Exit follow(Desk desk) {
    Follower follower = new Follower(desk, desk.instance(id).current());
    Duration left = patience == null ? Duration.ofDays(Integer.MAX_VALUE) : patience;
    while (true) {
      OrchestrationStatus seen = desk.client().status(id);
      follower.catchUp();
      switch (seen) {
        case OrchestrationStatus.Completed ignored -> {
          return Exit.OK;
        }
        case OrchestrationStatus.Failed ignored -> {
          return Exit.FAILED;
        }
        case OrchestrationStatus.NotFound ignored ->
            throw new Stop(Exit.FAILED, "instance '" + id + "' was deleted meanwhile");
        case OrchestrationStatus.Running ignored -> left = pause(desk, left);
      }
    }
  }

  /** A short wait for the end; what is left of the patience after it. */
  private Duration pause(Desk desk, Duration left) {
    if (!left.isPositive()) {
      throw new Stop(Exit.FAILED, "instance '" + id + "' still runs");
    }
    Duration glance = left.compareTo(GLANCE) < 0 ? left : GLANCE;
    try {
      var unused = desk.client().waitForCompletion(id, glance);
    } catch (ClientException.Timeout e) {
      return left.minus(glance);
    }
    return left;
  }

  /** Prints each event once, over all executions from the given one on. */
  private static final class Follower {
    private final Desk desk;
    private final Pages pages;
    private ExecutionKey execution;
    private Timeline timeline = new Timeline(false);
    private long last;

    Follower(Desk desk, ExecutionKey execution) {
      this.desk = desk;
      this.pages = new Pages(desk.management());
      this.execution = execution;
    }

    void catchUp() {
      long newest = desk.instance(execution.instance()).current().executionId();
      last = pages.events(execution, last, this::print);
      while (execution.executionId() < newest) {
        execution = execution.next();
        timeline = new Timeline(false);
        last = pages.events(execution, 0, this::print);
      }
      desk.terminal().out().flush();
    }

    private void print(Event event) {
      if (desk.json()) {
        desk.terminal().line(Forms.line(Forms.event(event)));
        return;
      }
      Table.Cell[] cells = timeline.next(event);
      StringBuilder line =
          new StringBuilder("%d/%-4s".formatted(execution.executionId(), cells[0].text()));
      line.append("%-9s ".formatted(cells[1].text()));
      line.append(desk.terminal().paint(cells[2].ink(), "%-26s".formatted(cells[2].text())));
      for (int i = 3; i < cells.length; i++) {
        line.append(cells[i].text().isEmpty() ? "" : " " + cells[i].text());
      }
      desk.terminal().line(line.toString().stripTrailing());
    }
  }
}
