package io.duroxide.proof.chaos;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/**
 * Starts the processes of runs.
 *
 * <p>A run spends most of its time on the start of processes, of which few live for long. Therefore
 * they load their classes from an archive, which a first process leaves when it ends. An archive
 * needs jars, so folders of the class path are packed first. Thread-safe.
 */
final class NodeLauncher {
  private static final Path FOLDER = Path.of("target", "proof", "launcher").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String HEAP = "-Xmx96m";

  private final String classPath;
  private final List<String> options;

  private NodeLauncher(String classPath, List<String> options) {
    this.classPath = classPath;
    this.options = options;
  }

  /** The launcher of this process. */
  static NodeLauncher shared() {
    return Shared.LAUNCHER;
  }

  /** Made when the first run begins. */
  private static final class Shared {
    static final NodeLauncher LAUNCHER = trained(FOLDER);
  }

  private static NodeLauncher trained(Path folder) {
    ChaosLane.delete(folder);
    Path archive = folder.resolve("classes.jsa");
    RunFolder run =
        RunFolder.create(
            folder.resolve("training"),
            new ChaosSettings(
                1, StoreKind.SQLITE, 1, 0, ChaosSettings.Load.of(12, 1, 2, 0), Map.of()));
    String jars = packed(folder);
    Birth birth =
        new Birth(
            run,
            run.storeFile().toString(),
            0,
            "training",
            OptionSet.DEFAULTS,
            System.currentTimeMillis());
    ChildProcess first =
        new NodeLauncher(jars, List.of("-XX:ArchiveClassesAtExit=" + archive))
            .start(birth, LaunchTraining.class);
    boolean worked = first.heard(ChaosNode.FINISHED, PATIENCE).isPresent();
    first.say(ChaosNode.STOP);
    if (!worked || !first.hasEnded(PATIENCE)) {
      first.kill();
      throw new IllegalStateException("the first process failed; see " + run.logs());
    }
    return new NodeLauncher(jars, List.of("-XX:SharedArchiveFile=" + archive));
  }

  /** The class path with a jar in the place of each folder. */
  private static String packed(Path folder) {
    ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
    List<String> entries = new ArrayList<>();
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : path.split(File.pathSeparator, -1)) {
      if (Files.isDirectory(Path.of(entry))) {
        String packed = folder.resolve(entries.size() + ".jar").toString();
        jar.run(
            System.out,
            System.err,
            "--create",
            "--no-compress",
            "--file",
            packed,
            "-C",
            entry,
            ".");
        entries.add(packed);
      } else if (Files.exists(Path.of(entry))) {
        entries.add(entry);
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  ChildProcess start(Birth birth, boolean node) {
    return start(birth, node ? ChaosNode.class : ChaosClient.class);
  }

  private ChildProcess start(Birth birth, Class<?> program) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xlog:disable",
                HEAP,
                "-Dlogback.configurationFile=chaos-logback.xml"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, program.getName()));
    command.addAll(birth.arguments());
    try {
      Path log = birth.folder().logs().resolve(birth.name() + ".log");
      return new ChildProcess(
          birth, new ProcessBuilder(command).redirectError(log.toFile()).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
