package io.duroxide.proof.chaos;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;

/** A node that also loads what nodes on a server need, so that an archive of its classes has it. */
final class LaunchTraining {
  private static final String CLASS = ".class";
  private static final List<String> SERVER =
      List.of("io/duroxide/provider/postgres/", "org/postgresql/", "com/zaxxer/hikari/");

  private LaunchTraining() {}

  /** Runs a node; the arguments are a {@link Birth}. */
  public static void main(String[] arguments) throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      load(Path.of(entry));
    }
    ChaosNode.main(arguments);
  }

  private static void load(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      file.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(CLASS) && SERVER.stream().anyMatch(name::startsWith))
          .forEach(LaunchTraining::load);
    }
  }

  /** Some classes of a driver extend what an application may bring. */
  private static void load(String file) {
    String name = file.substring(0, file.length() - CLASS.length()).replace('/', '.');
    try {
      Class.forName(name, false, LaunchTraining.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      System.err.println("not archived: " + name);
    }
  }
}
