package io.duroxide.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "cancel", description = "Asks an instance and its children to stop.")
final class CancelCommand implements Callable<Integer> {
  @Mixin private final Common common;
  @Mixin private final Consent consent = new Consent();
  @Mixin private final Waiting waiting = new Waiting();

  @Parameters(paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "cancelled by an operator",
      description = "Recorded in its history (default: ${DEFAULT-VALUE}).")
  private String reason;

  CancelCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::cancel);
  }

  private Exit cancel(Desk desk) {
    desk.requireRunning(id);
    consent.require(desk.terminal(), "this cancels '" + Shown.text(id) + "' and its children");
    desk.client().cancel(id, reason);
    if (waiting.isWanted()) {
      return waiting.await(desk, id);
    }
    desk.answer(
        Forms.object().put("queued", "cancel").put("instance", id),
        "queued: cancel of " + Shown.text(id));
    return Exit.OK;
  }
}
