package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.Provider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/** A process that runs {@link MixedWork} until it is killed, or its parent has ended. */
final class KillWorker {
  private KillWorker() {}

  /**
   * Runs a node.
   *
   * @param arguments the address of a PostgreSQL database, or a SQLite file
   */
  public static void main(String[] arguments) throws IOException {
    RuntimeOptions options =
        RuntimeOptions.builder()
            .orchestratorLockTimeout(Duration.ofSeconds(2))
            .workerLockTimeout(Duration.ofSeconds(2))
            .maxAttempts(100)
            .build();
    DuroxideRuntime.Builder builder = DuroxideRuntime.builder(open(arguments[0])).options(options);
    MixedWork.register(builder);
    builder.start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(0);
  }

  private static Provider open(String address) {
    return address.startsWith("jdbc:postgresql:")
        ? PostgresProvider.open(address, PostgresOptions.DEFAULT.withConnections(4))
        : SqliteProvider.open(Path.of(address));
  }

  /** Waits until a process has begun to work; once for each. */
  static void awaitReady(Process process) {
    try {
      while (process.getInputStream().read() != '\n') {
        assertThat(process.isAlive()).as("the process lives").isTrue();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a process on a store. */
  static Process spawn(String address) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              KillWorker.class.getName(),
              address)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
