package io.duroxide.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "raise", description = "Raises an event that an instance waits for.")
final class RaiseCommand implements Callable<Integer> {
  @Mixin private final Common common;

  @Parameters(index = "0", paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Parameters(index = "1", paramLabel = "EVENT", description = "Name of the event.")
  private String event;

  @Parameters(
      index = "2",
      paramLabel = "PAYLOAD",
      defaultValue = "null",
      description = "JSON or plain text, sent as it is; - reads it from the input (default: null).")
  private String payload;

  RaiseCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::send);
  }

  private Exit send(Desk desk) {
    desk.requireRunning(id);
    desk.client().raiseEvent(id, event, desk.terminal().payload(payload));
    desk.answer(
        Forms.object().put("queued", "raise").put("instance", id).put("event", event),
        "queued: event " + Shown.text(event) + " for " + Shown.text(id));
    return Exit.OK;
  }
}
