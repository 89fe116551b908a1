package io.duroxide.cli;

import io.duroxide.client.StartOptions;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "start", description = "Starts an instance.")
final class StartCommand implements Callable<Integer> {
  /** What to do if the id exists. */
  enum Existing {
    reject,
    keep,
    restart
  }

  @Mixin private final Common common;
  @Mixin private final Waiting waiting = new Waiting();

  @Parameters(index = "0", paramLabel = "ORCHESTRATION", description = "Name of the orchestration.")
  private String orchestration;

  @Parameters(index = "1", paramLabel = "INSTANCE", description = "Id of the new instance.")
  private String id;

  @Parameters(
      index = "2",
      paramLabel = "PAYLOAD",
      defaultValue = "null",
      description = "JSON or plain text, sent as it is; - reads it from the input (default: null).")
  private String payload;

  @Option(names = "--version", paramLabel = "VERSION", description = "Exactly this version.")
  private @Nullable String version;

  @Option(
      names = "--delay",
      paramLabel = "SPAN",
      converter = Spans.class,
      defaultValue = "0s",
      description = "Not before this much time has passed.")
  private Duration delay;

  @Option(
      names = "--existing",
      defaultValue = "reject",
      description =
          "If the id exists: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); restart begins"
              + " the next execution of one that has ended.")
  private Existing existing;

  @Option(names = "--create", description = "Make the file or schema if it is missing.")
  private boolean create;

  StartCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(create, this::start);
  }

  private Exit start(Desk desk) {
    desk.client()
        .start(
            orchestration,
            id,
            desk.terminal().payload(payload),
            new StartOptions(version, delay, reuse(), null));
    if (waiting.isWanted()) {
      return waiting.await(desk, id);
    }
    desk.answer(
        Forms.object().put("queued", "start").put("instance", id),
        "queued: start of " + Shown.text(orchestration) + " as " + Shown.text(id));
    return Exit.OK;
  }

  private StartOptions.Reuse reuse() {
    return switch (existing) {
      case reject -> StartOptions.Reuse.REJECT;
      case keep -> StartOptions.Reuse.RETURN_EXISTING;
      case restart -> StartOptions.Reuse.RESTART_IF_TERMINAL;
    };
  }
}
