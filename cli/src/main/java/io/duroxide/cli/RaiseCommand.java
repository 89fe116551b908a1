package io.duroxide.cli;

import io.duroxide.client.Client;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "raise", description = "Raises an event that an instance waits for.")
final class RaiseCommand implements Callable<Integer> {
  @Mixin private final Common common;
  @Mixin private final Letter letter = new Letter();

  RaiseCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(desk -> letter.send(desk, "raise", "event", Client::raiseEvent));
  }
}
