package io.duroxide.e2e;

import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A process that runs {@link MixedWork} until it is killed, or its parent has ended. */
final class KillWorker {
  private KillWorker() {}

  /**
   * Runs a node.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException {
    RuntimeOptions options =
        RuntimeOptions.builder()
            .orchestratorLockTimeout(Duration.ofSeconds(2))
            .workerLockTimeout(Duration.ofSeconds(2))
            .maxAttempts(100)
            .build();
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(SqliteProvider.open(Path.of(arguments[0]))).options(options);
    MixedWork.register(builder);
    builder.start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(0);
  }
}
