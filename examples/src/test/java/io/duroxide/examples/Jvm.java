package io.duroxide.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts Java programs in processes of their own. */
final class Jvm {
  /** What the tests themselves run with. */
  static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private Jvm() {}

  /** Starts a program in a folder; its errors go where those of the tests go. */
  static Process start(Path folder, String classPath, List<String> command) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                classPath));
    all.addAll(command);
    return new ProcessBuilder(all)
        .directory(folder.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
