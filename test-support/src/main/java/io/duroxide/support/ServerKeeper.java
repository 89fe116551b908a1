package io.duroxide.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The process that keeps the server of a build: it ends with the build, and the server with it. */
public final class ServerKeeper {
  private ServerKeeper() {}

  /**
   * Starts the server and waits for the end of the build.
   *
   * @param args the file that shall hold the server's address
   */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    ProcessHandle build = ProcessHandle.current().parent().orElseThrow();
    try (EmbeddedPostgres server = SharedServer.start()) {
      Files.createDirectories(file.getParent());
      Files.writeString(draft, SharedServer.url(server));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      file.toFile().deleteOnExit();
      build.onExit().join();
    }
  }
}
