package io.duroxide.cli;

import io.duroxide.client.Client;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "enqueue", description = "Puts a message into a mailbox of an instance.")
final class EnqueueCommand implements Callable<Integer> {
  @Mixin private final Common common;
  @Mixin private final Letter letter = new Letter();

  EnqueueCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(desk -> letter.send(desk, "enqueue", "queue", Client::enqueue));
  }
}
