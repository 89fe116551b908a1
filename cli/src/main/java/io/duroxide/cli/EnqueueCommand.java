package io.duroxide.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "enqueue", description = "Puts a message into a mailbox of an instance.")
final class EnqueueCommand implements Callable<Integer> {
  @Mixin private final Common common;

  @Parameters(index = "0", paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Parameters(index = "1", paramLabel = "QUEUE", description = "Name of the mailbox.")
  private String queue;

  @Parameters(
      index = "2",
      paramLabel = "PAYLOAD",
      defaultValue = "null",
      description = "JSON or plain text, sent as it is; - reads it from the input (default: null).")
  private String payload;

  EnqueueCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::send);
  }

  private Exit send(Desk desk) {
    desk.requireRunning(id);
    desk.client().enqueue(id, queue, desk.terminal().payload(payload));
    desk.answer(
        Forms.object().put("queued", "enqueue").put("instance", id).put("queue", queue),
        "queued: queue " + Shown.text(queue) + " for " + Shown.text(id));
    return Exit.OK;
  }
}
