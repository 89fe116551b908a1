package io.duroxide.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh: source <(duroxide completion)")
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  private final Terminal terminal;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.line(AutoComplete.bash("duroxide", spec.root().commandLine()));
    return Exit.OK.code();
  }
}
