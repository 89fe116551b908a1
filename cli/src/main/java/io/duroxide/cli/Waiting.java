package io.duroxide.cli;

import io.duroxide.client.OrchestrationStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The option to stay until an instance has ended. */
final class Waiting {
  @Option(
      names = "--wait",
      paramLabel = "SPAN",
      converter = Spans.class,
      description = "Wait this long for the instance to end, and print how it did.")
  private @Nullable Duration time;

  boolean isWanted() {
    return time != null;
  }

  /** Fails if the instance fails, or does not end in time. */
  Exit await(Desk desk, String id) {
    if (time == null) {
      return Exit.OK;
    }
    ObjectNode form = Forms.object().put("instance", id);
    return switch (desk.client().waitForCompletion(id, time)) {
      case OrchestrationStatus.Completed end -> {
        desk.answer(
            form.put("status", "Completed").put("output", end.output()),
            Shown.text(id) + " completed: " + Shown.text(end.output()));
        yield Exit.OK;
      }
      case OrchestrationStatus.Failed end -> {
        String message = end.details().displayMessage();
        desk.answer(
            form.put("status", "Failed").put("output", message),
            Shown.text(id) + " failed: " + Shown.text(message));
        yield end.isCancelled() ? Exit.OK : Exit.FAILED;
      }
      case OrchestrationStatus.Running ignored -> Exit.FAILED;
      case OrchestrationStatus.NotFound ignored -> Exit.FAILED;
    };
  }
}
