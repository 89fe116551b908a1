package io.duroxide.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code duroxide}: looks into a store and steers what is in it. */
@Command(
    name = "duroxide",
    description = "Looks into a Duroxide store and steers what is in it.",
    versionProvider = Duroxide.Version.class,
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0  done",
      "  1  unknown instance, what was waited for failed, or a copy differs",
      "  2  the command line makes no sense",
      "  3  the store cannot be opened or does not answer",
      "  4  refused: wants --yes, or the state of the instance or store forbids it"
    })
public final class Duroxide implements Runnable {
  private static final String LOGGING = "logback.configurationFile";

  @Spec private CommandSpec spec;

  Duroxide() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "io/duroxide/cli/logback.xml");
    }
    System.exit(commandLine(Terminal.ofProcess()).execute(args));
  }

  static CommandLine commandLine(Terminal terminal) {
    CommandLine line = new CommandLine(new Duroxide());
    line.addSubcommand(new ListCommand(terminal))
        .addSubcommand(new ShowCommand(terminal))
        .addSubcommand(new TailCommand(terminal))
        .addSubcommand(new StuckCommand(terminal))
        .addSubcommand(new DepthsCommand(terminal))
        .addSubcommand(new StartCommand(terminal))
        .addSubcommand(new RaiseCommand(terminal))
        .addSubcommand(new EnqueueCommand(terminal))
        .addSubcommand(new CancelCommand(terminal))
        .addSubcommand(new DeleteCommand(terminal))
        .addSubcommand(new PruneCommand(terminal))
        .addSubcommand(new OrphansCommand(terminal))
        .addSubcommand(new ExportCommand(terminal))
        .addSubcommand(new CopyCommand(terminal))
        .addSubcommand(new CompletionCommand(terminal));
    Errors errors = new Errors(terminal);
    line.setExpandAtFiles(false)
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors);
    addHelp(line);
    return line;
  }

  private static void addHelp(CommandLine line) {
    line.getCommandSpec().mixinStandardHelpOptions(true);
    line.getSubcommands()
        .values()
        .forEach(sub -> sub.getCommandSpec().addMixin("help", Help.spec()));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }

  /** The version of the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Duroxide.class.getPackage().getImplementationVersion();
      return new String[] {"duroxide " + (version == null ? "(not packaged)" : version)};
    }
  }

  /** The option {@code --help} of every command. */
  static final class Help {
    private Help() {}

    static CommandSpec spec() {
      return CommandSpec.create()
          .addOption(
              CommandLine.Model.OptionSpec.builder("-h", "--help")
                  .usageHelp(true)
                  .type(boolean.class)
                  .description("Shows this help.")
                  .build());
    }
  }
}
