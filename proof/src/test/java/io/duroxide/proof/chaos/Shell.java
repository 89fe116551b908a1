package io.duroxide.proof.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Commands of the operating system. */
final class Shell {
  private Shell() {}

  static void run(String... command) {
    try {
      int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException(String.join(" ", command) + " ended with " + exit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static void signal(long process, String signal) {
    run("kill", "-" + signal, Long.toString(process));
  }

  /** Lets writes of a process fail behind this many bytes of a file. */
  static void limitFiles(long process, String bytes) {
    run("prlimit", "--pid", Long.toString(process), "--fsize=" + bytes + ":");
  }
}
