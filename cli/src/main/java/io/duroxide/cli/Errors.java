package io.duroxide.cli;

import io.duroxide.client.ClientException;
import io.duroxide.management.ManagementException;
import io.duroxide.provider.ProviderException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every failure into one line and an exit code. */
record Errors(Terminal terminal)
    implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult arguments) {
    Exit exit = exit(failure);
    say(exit == Exit.FAILED && isUnforeseen(failure) ? failure.toString() : text(failure));
    return exit.code();
  }

  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    say(text(failure) + "; see " + command.getCommandSpec().qualifiedName() + " --help");
    if (failure instanceof UnmatchedArgumentException) {
      UnmatchedArgumentException.printSuggestions(failure, terminal.err());
    }
    return Exit.USAGE.code();
  }

  private static String text(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }

  private void say(String message) {
    terminal.out().flush();
    String line = Shown.text(Secrets.hidden(message)).strip();
    terminal.err().println(terminal.paint(Ink.RED, "duroxide: " + line));
    terminal.err().flush();
  }

  private static Exit exit(Exception failure) {
    return switch (failure) {
      case Stop stop -> stop.exit();
      case ManagementException refused -> exit(refused);
      case ClientException refused -> exit(refused);
      case ProviderException trouble -> exit(trouble.kind());
      default -> Exit.FAILED;
    };
  }

  private static boolean isUnforeseen(Exception failure) {
    return !(failure instanceof Stop
        || failure instanceof ManagementException
        || failure instanceof ClientException
        || failure instanceof ProviderException);
  }

  private static Exit exit(ManagementException refused) {
    return switch (refused) {
      case ManagementException.InstanceStillRunning ignored -> Exit.REFUSED;
      case ManagementException.CannotDeleteSubOrchestration ignored -> Exit.REFUSED;
      case ManagementException.TreeChanged ignored -> Exit.REFUSED;
      case ManagementException.StoreInUse ignored -> Exit.REFUSED;
      case ManagementException.InvalidInput ignored -> Exit.USAGE;
      default -> Exit.FAILED;
    };
  }

  private static Exit exit(ClientException refused) {
    return switch (refused) {
      case ClientException.InvalidInput ignored -> Exit.USAGE;
      case ClientException.InstanceExists ignored -> Exit.REFUSED;
      case ClientException.InstanceEnded ignored -> Exit.REFUSED;
      default -> Exit.FAILED;
    };
  }

  private static Exit exit(ProviderException.Kind kind) {
    return switch (kind) {
      case INVALID_INPUT -> Exit.USAGE;
      case NOT_FOUND -> Exit.FAILED;
      case STILL_RUNNING, NOT_ROOT, ORPHANS -> Exit.REFUSED;
      default -> Exit.UNREACHABLE;
    };
  }
}
