package io.duroxide.e2e;

import io.duroxide.api.Awaited;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.FirstMail;
import io.duroxide.client.StartOptions;
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
import java.util.ArrayList;
import java.util.List;

/** Collects what is sent to it, ends when nothing comes for a moment, and begins again. */
final class Accumulator {
  static final String ID = "sum";
  static final Duration IDLE = Duration.ofMillis(20);

  private static final EventQueue<Integer> NUMBERS = EventQueue.of("numbers", Integer.class);
  private static final Orchestration<String, String> SUM =
      Orchestration.of("Sum", String.class, String.class);

  private Accumulator() {}

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.orchestration(
            SUM,
            (ctx, in) -> {
              List<String> read = new ArrayList<>();
              while (ctx.dequeue(NUMBERS).await(IDLE) instanceof Awaited.Got<Integer> got) {
                read.add(Integer.toString(got.value()));
              }
              return String.join(",", read);
            })
        .endsWhenRead(NUMBERS);
  }

  /** Sends a number; begins the accumulator if it has ended. */
  static void send(Client client, int number) {
    FirstMail mail = FirstMail.to(NUMBERS, List.of(number));
    client.startAndEnqueue(SUM, ID, "", mail, StartOptions.restartIfEnded());
  }

  /**
   * A process that runs accumulators until it is killed, or its parent has ended.
   *
   * @param arguments the address of a PostgreSQL database and its schema, or a SQLite file
   */
  public static void main(String[] arguments) throws IOException {
    RuntimeOptions options =
        RuntimeOptions.builder()
            .orchestratorLockTimeout(Duration.ofSeconds(2))
            .maxAttempts(100)
            .build();
    register(DuroxideRuntime.builder(open(arguments[0], arguments[1])).options(options)).start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(0);
  }

  static Provider open(String address, String schema) {
    return address.startsWith("jdbc:postgresql:")
        ? PostgresProvider.open(
            address, PostgresOptions.DEFAULT.withSchema(schema).withConnections(4))
        : SqliteProvider.open(Path.of(address));
  }

  /** Starts such a process. */
  static Process spawn(String address, String schema) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              Accumulator.class.getName(),
              address,
              schema)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
